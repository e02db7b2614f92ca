"""A second entry for each kernel: it takes one address, of a row of all arguments.

Whoever calls from Python again and again with the same arguments lays them out once. To hand forty
of them over at every call takes longer than many a kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rookery.engine.targets.native import PACKED

_KINDS: Final = {"int": "i64", "float": "double", "none": "void"}


def packed(kernels: Mapping[str, Mapping[str, Any]]) -> str:
    """Return LLVM's code of these entries, for a library that says this of its kernels.

    A row has eight bytes for each argument, in their order: a number, or an address and, of a list,
    its length behind it.

    >>> print(packed({"rookery_actor": {"takes": ["State"], "returns": "int"}}))
    declare i64 @rookery_actor(ptr)
    define i64 @rookery_actor_packed(ptr %row) {
      %p0 = getelementptr i64, ptr %row, i64 0
      %a0 = load ptr, ptr %p0
      %found = call i64 @rookery_actor(ptr %a0) noinline
      ret i64 %found
    }
    """
    return "\n".join(
        line for name, one in kernels.items() for line in _entry(name, one["takes"], one["returns"])
    )


def _entry(name: str, takes: list[str], returns: str) -> Iterator[str]:
    kinds = [kind for word in takes for kind in _passed(word)]
    result = _KINDS[returns]
    found = "" if returns == "none" else "%found"
    given = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))
    yield f"declare {result} @{name}({', '.join(kinds)})"
    yield f"define {result} @{name}{PACKED}(ptr %row) {{"
    for i, kind in enumerate(kinds):
        yield f"  %p{i} = getelementptr i64, ptr %row, i64 {i}"
        yield f"  %a{i} = load {kind}, ptr %p{i}"
    # Not inlined: a kernel twice in the library would be twice its size.
    yield f"  {f'{found} = ' * bool(found)}call {result} @{name}({given}) noinline"
    yield f"  {' '.join(('ret', result, found)).rstrip()}"
    yield "}"


def _passed(word: str) -> list[str]:
    """Return what is passed in C for an argument."""
    if word in _KINDS:
        return [_KINDS[word]]
    return ["ptr", "i64"] if word.endswith("[]") else ["ptr"]
