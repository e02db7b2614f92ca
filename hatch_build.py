"""What a wheel holds beside the sources: the native library of one machine, or of none.

`scripts/wheels` says which with two variables. Without them a wheel is pure Python.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = "ROOKERY_WHEEL_LIBRARY"  # the file
TAG = "ROOKERY_WHEEL_TAG"  # the machine, as pip calls it


class CustomBuildHook(BuildHookInterface[Any]):
    """Put a library into the wheel, and the machine into its name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change what hatchling is about to build; `version` is standard or editable.

        Raises:
            ValueError: one of the variables is set alone, or there is no such file.
        """
        library, tag = os.environ.get(LIBRARY), os.environ.get(TAG)
        if self.target_name != "wheel" or version != "standard" or not (library or tag):
            return
        if not library or not tag or not Path(library).is_file():
            raise ValueError(f"expected {LIBRARY}, a file, and {TAG}; got {library!r} and {tag!r}")
        inside = f"rookery/engine/targets/{Path(library).name}"
        build_data["force_include"][str(Path(library).resolve())] = inside
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
