"""The example notebook is run from its first cell to its last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "rookery.ipynb"
HANGS = 300  # seconds after which a cell will never end
# In a process of its own: Jupyter's warnings and event loop are its own business.
RUN = f"""
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout={HANGS}, startup_timeout={HANGS}, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def execute(notebook: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a notebook without touching this machine's Jupyter settings."""
    homes = ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
    for name in homes:
        (folder / name).mkdir()
    return subprocess.run(
        [sys.executable, "-c", RUN, str(notebook), str(folder / "done.ipynb")],
        env={**os.environ, **{name: str(folder / name) for name in homes}},
        capture_output=True,
        text=True,
        check=False,
    )


def cells(path: Path) -> list[dict[str, Any]]:
    held: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return held


def test_the_notebook_is_kept_without_outputs() -> None:
    code = [cell for cell in cells(NOTEBOOK) if cell["cell_type"] == "code"]
    assert len(code) >= 8
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.slow
def test_the_notebook_runs_and_shows_what_it_promises(tmp_path: Path) -> None:
    run = execute(NOTEBOOK, tmp_path)
    assert run.returncode == 0, run.stderr
    shown = [
        output.get("data", {})
        for cell in cells(tmp_path / "done.ipynb")
        for output in cell.get("outputs", [])
    ]
    pictures = ["".join(data["image/svg+xml"]) for data in shown if "image/svg+xml" in data]
    tables = ["".join(data["text/html"]) for data in shown if "text/html" in data]
    assert len(pictures) == 3  # the deal, the hand as dealt, the hand in its third trick
    assert "a deal, seed 7" in pictures[0]
    assert 'opacity="0.38"' in pictures[2]
    assert any("won by" in table for table in tables)
    assert any("points_a_board" in table for table in tables)
    assert any("image/png" in data for data in shown)


@pytest.mark.slow
def test_a_broken_cell_would_be_noticed(tmp_path: Path) -> None:
    broken = json.loads(NOTEBOOK.read_text("utf-8"))
    broken["cells"] = [cell for cell in broken["cells"] if cell["cell_type"] == "code"][:1]
    broken["cells"][0]["source"] = ["import rookery\n", "rookery.Nest"]
    path = tmp_path / "broken.ipynb"
    path.write_text(json.dumps(broken), "utf-8")
    run = execute(path, tmp_path)
    assert run.returncode != 0
    assert "no attribute 'Nest'" in run.stderr
