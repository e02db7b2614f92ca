"""Which module of the package imports which, read from the sources.

Imports inside functions and those for types count. Names of modules in strings count as well: by
them commands and kernels are loaded when they are needed.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

Graph: TypeAlias = Mapping[str, set[str]]
LAYERS = (
    *(
        "unicode",
        "about",
        "files",
        "cards",
        "rules",
        "engine",
        "show",
        "game",
        "view",
        "record",
        "fairness",
    ),
    *(
        "bots",
        "solver",
        "search",
        "learn",
        "review",
        "lessons",
        "lab",
        "envs",
        "puzzles",
        "daily",
        "ratings",
        "evening",
    ),
    *("server", "web", "cli"),
)
WITHIN = {
    "lab": (
        *(
            "stats",
            "pictures",
            "run",
            "duplicate",
            "games",
            "menagerie",
            "studies",
            "league",
            "rows",
            "dataset",
            "effect",
            "odds",
        ),
        *("first_hand", "bench", "observations", "foresight"),
    ),
    "server": (
        *(
            "settings",
            "clock",
            "work",
            "names",
            "counters",
            "table",
            "store",
            "cluster",
            "bots",
            "live",
        ),
        *("registry", "monitoring", "api", "offline", "http", "app", "serving"),
    ),
    "cli": (
        *("arguments", "output"),
        *("records", "lab", "play", "practice", "evening", "rules", "server", "main"),
    ),
}
# What is named here is public: for those who use the project. docs/design/ names internals.
PUBLIC = ("README.md", "docs/how-to", "docs/reference", "docs/tutorials", "examples")
CLIENT = "src/rookery/web/static"  # a browser loads what its scripts name
FRAMEWORKS = ("fastapi", "starlette", "uvicorn")
DOTTED = re.compile(r"rookery(?:\.\w+)+")


def files(root: Path) -> list[Path]:
    """Return the files that are, or are about to be, part of the project in `root`."""
    if (root / ".git").exists():
        listing = subprocess.run(
            [
                *("git", "-c", "safe.directory=*"),  # in a container the checkout may be another's
                *("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
            ],
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        )
        found = [root / name for name in listing.stdout.split("\0") if name]
    else:
        hidden = re.compile(
            r"(^|/)(\.(?!ci/)[^/]+/|build/|dist/|site/|__pycache__/|[^/]+\.egg-info/)"
        )
        found = [p for p in root.rglob("*") if not hidden.search(p.relative_to(root).as_posix())]
    return sorted(path for path in found if path.is_file())


@cache  # several checks look at one tree, and nobody changes it meanwhile
def sources(root: Path) -> tuple[tuple[Path, ast.Module], ...]:
    """Return each module of the package with its syntax tree, by its path inside the package."""
    package = root / "src" / "rookery"
    return tuple(
        (path.relative_to(package), ast.parse(path.read_text("utf-8")))
        for path in files(root)
        if path.suffix == ".py" and path.is_relative_to(package)
    )


def imported(module: Path, node: ast.AST) -> list[str]:
    """Return the full names that `node` may import, where `module` is a path inside the package."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    package = ("rookery", *module.parts[:-1])
    above = package[: len(package) - node.level + 1] if node.level else ()
    stem = ".".join((*above, node.module) if node.module else above)
    return [f"{stem}.{alias.name}" for alias in node.names]


def module_name(path: Path) -> str:
    """Return the full name of a module, where `path` is a path inside the package."""
    parts = ("rookery", *path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def nearest(name: str, modules: Mapping[str, object]) -> str:
    """Return the module that a dotted name leads to: itself, or the one that holds the name."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


@cache
def graph(root: Path) -> Graph:
    """Return for every module the modules that it imports."""
    trees = dict(sources(root))
    modules = {module_name(path): path for path in trees}
    return {
        name: {
            nearest(target, modules)
            for node in ast.walk(trees[path])
            for target in imported(path, node)
            if target.startswith("rookery.")
        }
        - {name, ""}
        for name, path in modules.items()
    }


def wrong_imports(root: Path) -> list[str]:
    """Return the imports that point from a layer to one above it, and modules in no layer."""
    wrong = []
    for module, targets in sorted(graph(root).items()):
        parts = module.split(".")
        layer = parts[1] if len(parts) > 1 else "__init__"
        if layer not in (*LAYERS, "__init__", "__main__"):
            wrong.append(f"{module}: {layer} is not one of the layers")
            continue
        if layer == "__init__":
            reach = -1  # every layer imports the package itself, so it may import none of them
        else:
            reach = LAYERS.index(layer) if layer in LAYERS else len(LAYERS)
        for target in sorted(targets):
            other = target.split(".")[1] if "." in target else ""
            if other in LAYERS and LAYERS.index(other) > reach:
                wrong.append(f"{module}: {layer} imports {target}")
        wrong += wrong_within(module, targets)
    return wrong


def wrong_within(module: str, targets: set[str]) -> list[str]:
    """Return the imports of `module` that point upwards among the parts of its layer."""
    _, layer, part, *_ = (*module.split("."), "", "", "")
    if layer not in WITHIN or not part:
        return []
    layers = WITHIN[layer]
    if part not in layers:
        return [f"{module}: {part} is not one of the parts of {layer}"]
    above = layers[layers.index(part) + 1 :]
    return [
        f"{module}: {layer}.{part} imports {target}"
        for target in sorted(targets)
        if target.startswith(tuple(f"rookery.{layer}.{other}" for other in above))
    ]


def reached(start: str, imports: Graph) -> set[str]:
    """Return the modules to which one or more imports lead from `start`."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = imports[waiting.pop()] - seen
        seen |= fresh
        waiting += fresh
    return seen


def import_cycles(root: Path) -> list[str]:
    """Return the sets of modules that import one another, at whatever distance."""
    imports = graph(root)
    beyond = {name: reached(name, imports) for name in imports}
    cycles = {
        tuple(sorted(other for other in found if name in beyond[other]))
        for name, found in beyond.items()
        if name in found
    }
    return [" <-> ".join(cycle) for cycle in sorted(cycles)]


def folders_both_ways(root: Path) -> list[str]:
    """Return the folders side by side that import from each other."""
    folders = {module_name(path) for path, _ in sources(root) if path.name == "__init__.py"}
    ways = set[tuple[str, str]]()
    for module, targets in graph(root).items():
        for target in targets:
            apart = zip(module.split("."), target.split("."), strict=False)
            depth = next((at for at, (one, other) in enumerate(apart) if one != other), 0)
            ways.add(
                (".".join(module.split(".")[: depth + 1]), ".".join(target.split(".")[: depth + 1]))
            )
    return sorted(
        f"{one} <-> {other}"
        for one, other in ways
        if one < other and (other, one) in ways and {one, other} <= folders
    )


def frameworks_in_the_api(root: Path) -> list[str]:
    """Return the modules behind the API that import a web framework: it runs without one."""
    imports = graph(root)
    trees = {module_name(path): (path, tree) for path, tree in sources(root)}
    api = {name for name in imports if name.startswith("rookery.server.api")}
    behind = api.union(*(reached(name, imports) for name in api))
    return [
        f"{name} imports {target}"
        for name in sorted(behind)
        for node in ast.walk(trees[name][1])
        for target in imported(trees[name][0], node)
        if target.split(".")[0] in FRAMEWORKS
    ]


def unreachable(root: Path) -> list[str]:
    """Return the modules to which no command, no server and no public name leads."""
    trees = dict(sources(root))
    modules = {module_name(path): path for path in trees}
    imports = graph(root)
    leads = {
        name: {
            *imports[name],
            *(nearest(other, modules) for other in named(path, trees[path], modules)),
            nearest(name.rpartition(".")[0], modules),
        }
        - {""}
        for name, path in modules.items()
    }
    starts = {nearest(name, modules) for name in (*entry_points(root), *public_names(root))} - {""}
    starts |= {name for name in modules if name.endswith(".__main__")}  # python -m
    return sorted(modules.keys() - starts - set().union(*(reached(s, leads) for s in starts)))


def entry_points(root: Path) -> list[str]:
    """Return the functions that `pyproject.toml` makes into programs."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return [target.replace(":", ".") for target in project.get("scripts", {}).values()]


def public_names(root: Path) -> list[str]:
    """Return the dotted names in what is written for users or run by browsers, and the package."""
    pages = (path for path in files(root) if path.suffix in (".md", ".py", ".ipynb", ".js"))
    written = (
        path.read_text("utf-8")
        for path in pages
        if path.relative_to(root).as_posix().startswith((*PUBLIC, CLIENT))
    )
    return ["rookery", *(name for text in written for name in DOTTED.findall(text))]


def named(path: Path, tree: ast.Module, modules: Mapping[str, object]) -> Iterator[str]:
    """Yield the modules that a module names in strings: whole, as a head, or as a folder."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    logs = {
        argument
        for call in calls
        if ast.unparse(call.func) == "logging.getLogger"
        for argument in call.args
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in logs:
            name = node.value.partition(":")[0]
            if name in modules:
                yield name
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            head = str(node.values[0].value)
            yield from inside(head.rpartition(".")[0], modules)
    for call in calls:
        if ast.unparse(call.func) == "Path(__file__).with_name":
            folder = ast.literal_eval(call.args[0])
            yield from inside(".".join(("rookery", *path.parts[:-1], folder)), modules)


def inside(package: str, modules: Mapping[str, object]) -> list[str]:
    """Return the modules of a package."""
    if not package.startswith("rookery."):
        return []
    return [name for name in modules if f"{name}.".startswith(f"{package}.")]
