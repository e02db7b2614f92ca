"""What tables and birds look like: each bird has a face of its own; cloths can be written on."""

from __future__ import annotations

import re

from tests.web.test_colours import contrast
from tests.web.test_static import STATIC

from rookery.bots.birds import BIRDS

SOURCE = (STATIC / "components" / "bird.js").read_text("utf-8")
CLOTHS = (STATIC / "css" / "cards.css").read_text("utf-8")
WHITE = (255, 255, 255)


def rows(name: str) -> dict[str, str]:
    """Return a table of the module: words by name."""
    start = SOURCE.index(f"const {name} = {{")
    return dict(re.findall(r'(\w+): "([^"]+)"', SOURCE[start : SOURCE.index("};", start)]))


def test_every_bird_has_a_face_of_its_own() -> None:
    birds = rows("BIRDS")
    assert set(birds) == set(BIRDS)
    assert len(set(birds.values())) == len(birds)


def test_a_face_is_put_together_of_what_there_is() -> None:
    for bird, face in rows("BIRDS").items():
        beak, ink, crest, head, body, *marks = face.split()
        parts = [mark.split(":") for mark in marks] + ([] if crest == "-" else [crest.split(":")])
        assert beak in rows("BEAK"), bird
        assert {ink, head, body, *(colour for _, colour in parts)} <= set(rows("INK")), bird
        assert {where for where, _ in parts} <= {*rows("MARK"), *rows("CREST")}, bird


def test_white_reads_well_on_every_cloth() -> None:
    cloths = re.findall(r'data-felt="(\w+)"\] \{ --felt: #(\w{6}); --felt-edge: #(\w{6})', CLOTHS)
    settings = (STATIC / "core" / "settings.js").read_text("utf-8")
    choices = re.search(r"felt: \[([^\]]+)\]", settings)
    assert choices
    assert {name for name, *_ in cloths} | {"green"} == set(re.findall(r"\w+", choices[1]))
    for name, *colours in cloths:
        for colour in colours:
            rgb = (int(colour[:2], 16), int(colour[2:4], 16), int(colour[4:], 16))
            assert contrast(rgb, WHITE) >= 4.5, name
