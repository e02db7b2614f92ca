"""Builds the site: Sphinx makes the pages, and their Markdown is laid beside them."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from scripts.docs.website import sources
from scripts.docs.website.navigation import DOCS, menu_html
from scripts.docs.website.plain import first_sentence, llms
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from rookery.about import version

HERE: Final = Path(__file__).parent
ICON: Final = HERE.parents[2] / "src/rookery/web/static/icon.svg"
VERSIONS: Final = "versions.json"
ABOUT: Final = "Rook, the card game: every published variant, bots, a laboratory and a server."
# What Sphinx writes for itself, or for a theme that is not used.
_UNUSED: Final = (
    *(".buildinfo", "objects.inv", "_static/basic.css"),
    *("_static/file.png", "_static/minus.png", "_static/plus.png"),
)
_SETTINGS: Final[dict[str, Any]] = {
    "project": "Rookery",
    "html_title": "Rookery",
    "extensions": ["myst_parser"],
    "source_suffix": {".md": "markdown"},
    "myst_heading_anchors": 4,
    "html_theme": "theme",
    "html_theme_path": [str(HERE)],
    "html_favicon": str(ICON),
    "html_copy_source": False,
    "html_use_index": False,
    "html_domain_indices": False,
    "html_scaled_image_link": False,
    "html_permalinks_icon": "#",
    "smartquotes": False,  # options and commands stand in the text
    "suppress_warnings": ["misc.highlighting_failure"],
}
_TABLE: Final = re.compile(r"<table\b.*?</table>", re.DOTALL)
# Markdown has no table without a head; an empty one says nothing to somebody who hears it.
_NO_HEAD: Final = re.compile(r'<th class="head[^"]*"><p></p></th>')
_EMPTY_ROW: Final = re.compile(r"<thead>\s*<tr[^>]*>(?:<td></td>\s*)*</tr>\s*</thead>")


class Failed(Exception):
    """The pages have faults; the message is Sphinx's lines about them."""


def build(folder: Path) -> None:
    """Write the site of this checkout into a folder, which may be empty or missing.

    Raises:
        Failed: a link leads nowhere, a page stands in no navigation, or the like.
    """
    found = sources.texts()
    with tempfile.TemporaryDirectory() as name:
        written = Path(name, "docs")
        sources.write(written, found)
        _sphinx(written, folder, Path(name, "kept"), found)
    for path in _UNUSED:
        (folder / path).unlink(missing_ok=True)
    _lay_beside(folder, found)


def _sphinx(written: Path, folder: Path, kept: Path, found: Mapping[str, str]) -> None:
    warnings = StringIO()
    settings = {**_SETTINGS, "version": version(), "release": version()}
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            *(written, None, folder, kept, "dirhtml", settings),
            status=None,
            warning=warnings,
            parallel=os.cpu_count() or 1,
        )
        app.connect("doctree-read", _files_are_links, priority=100)

        def fill(
            app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
        ) -> None:
            up = context["content_root"]
            text = found.get(f"{page}.md")
            context["menu"] = menu_html(sources.menu(), page, up)
            context["about"] = first_sentence(text) if text else ABOUT
            context["markdown"] = f"{up}{page}.md" if text else None
            body = _TABLE.sub(_table, context.get("body", ""))
            # A picture comes when somebody scrolls to it.
            context["body"] = body.replace("<img ", '<img loading="lazy" ')

        app.connect("html-page-context", fill)
        app.build()
    # Lines such as "path/docs/index.md:3: WARNING: ...".
    if said := warnings.getvalue().replace(f"{written}/", "").strip():
        raise Failed(said)


def _table(found: re.Match[str]) -> str:
    """Return a table in a box that scrolls by itself, without the empty cells of its head."""
    table = _EMPTY_ROW.sub("", _NO_HEAD.sub("<td></td>", found[0]))
    return f'<div class="wide">{table}</div>'


def _files_are_links(app: Sphinx, doctree: nodes.document) -> None:
    """Make a link to a file an ordinary one: the file lies in the site where it lies in docs/."""
    page = app.env.docname
    base = "" if page == "index" else f"{page}/"
    for node in list(doctree.findall(addnodes.download_reference)):
        _, path = app.env.relfn2path(node["reftarget"], page)
        target = Path(path).relative_to(app.srcdir).as_posix()
        address = os.path.relpath(target, base or ".")
        node.replace_self(nodes.reference("", "", *node.children, refuri=address, internal=True))


def _lay_beside(folder: Path, found: Mapping[str, str]) -> None:
    """Write what programs read: pages in Markdown, schemas, pictures, and the list of all."""
    for name, text in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for other in sources.others():
        target = folder / other.relative_to(DOCS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(other, target)
    (folder / "llms.txt").write_text(llms(sources.menu(), found, ABOUT), "utf-8")
    (folder / VERSIONS).write_text(json.dumps([listed(found)]) + "\n", "utf-8")


def listed(found: Mapping[str, str]) -> dict[str, Any]:
    """Return a version's line in the list of versions: its name and its pages."""
    pages = [name.removesuffix(".md") for name in found if name.endswith(".md")]
    return {"version": version(), "pages": sorted(pages)}
