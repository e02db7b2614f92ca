"""Kernels: functions written once that run as plain Python and compiled for other targets.

A function marked ``@kernel`` stays a plain Python function. `rookery.engine.targets.load` compiles
it, with every kernel that it calls. A function marked ``@primitive`` is one that every target
writes itself.

A kernel works on integers, on records (dataclasses whose fields are integers and lists of integers,
see `rookery.rules.fields`) and on lists. Compiled, integers are int64, floats float64, records
structured NumPy records with the same fields, and lists NumPy arrays of one dimension. It reads no
globals but integers, floats, tuples and other kernels. The parameter that holds a `RuleTable` is
called ``table`` in every kernel, because its numbers are written into the source.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_KERNEL: Final = "__rookery_kernel__"
_PRIMITIVE: Final = "__rookery_primitive__"
_SOURCE: Final = "__rookery_source__"
_CONSTANT: Final = (int, float, tuple)


def kernel(function: _Function) -> _Function:
    """Return `function`, marked as one that all targets share."""
    setattr(function, _KERNEL, True)
    return function


def primitive(function: _Function) -> _Function:
    """Return `function`, marked as one that every target has code of its own for."""
    setattr(function, _PRIMITIVE, True)
    return function


def generated_kernel(source: str, scope: dict[str, Any]) -> Any:  # noqa: ANN401  (a function)
    """Return a kernel from the source of one function.

    Args:
        source: a function definition, written by a program.
        scope: the globals of the module that the kernel belongs to.
    """
    before = {**scope}
    exec(compile(source, scope["__file__"], "exec"), before)  # noqa: S102  (our own source)
    name = source.removeprefix("def ").partition("(")[0]
    function = types.FunctionType(before[name].__code__, scope, name)
    setattr(function, _SOURCE, source)
    return kernel(function)


def source_of(function: Callable[..., Any]) -> tuple[str, int]:
    """Return the source of a kernel and its first line in the file, 1 for a generated one."""
    source: str | None = getattr(function, _SOURCE, None)
    if source is not None:
        return source, 1
    lines, first = inspect.getsourcelines(function)
    return "".join(lines), first


def called_kernels(function: Callable[..., Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the kernels and bit primitives that a kernel names, with the names it uses for them."""
    for name in function.__code__.co_names:
        value: Any = function.__globals__.get(name)
        if hasattr(value, _KERNEL) or hasattr(value, _PRIMITIVE):
            yield name, value


def family(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return a kernel and all that it calls, each after those that it calls itself."""
    found: dict[Callable[..., Any], None] = {}

    def visit(one: Callable[..., Any]) -> None:
        if one in found or hasattr(one, _PRIMITIVE):
            return
        for _, other in called_kernels(one):
            visit(other)
        found[one] = None

    visit(function)
    return list(found)


def constants_of(function: Callable[..., Any]) -> dict[str, object]:
    """Return the constants of other places that a kernel reads, by name, with their values.

    They are globals, imported or not, and attributes of modules that are globals.

    Raises:
        TypeError: a global is neither a constant nor a kernel.
    """
    names = function.__code__.co_names
    scope = {name: function.__globals__[name] for name in names if name in function.__globals__}
    kernels = dict(called_kernels(function))
    constants: dict[str, object] = {}
    for name, value in scope.items():
        if isinstance(value, types.ModuleType):
            inner = {f"{name}.{n}": getattr(value, n) for n in names if hasattr(value, n)}
            constants |= {n: v for n, v in inner.items() if isinstance(v, _CONSTANT)}
        elif isinstance(value, _CONSTANT):
            constants[name] = value
        elif name not in kernels:
            raise TypeError(f"{function.__name__} reads {name}, neither a constant nor a kernel")
    return constants


def sources_hash(function: Callable[..., Any], *files: str, python: str = sys.version) -> str:
    """Return a hash of all that compiled code is made from, for naming a cache: 16 hex digits.

    That is the source files of a kernel's whole family and of its primitives, the values of the
    constants that it reads, wherever they are written, Python's version and `files`. Numba's own
    disk cache looks at one file and sees none of the others. Layouts of records are types, which
    Numba does look at. Code that serves every version of Python says something else for `python`.
    """
    members = family(function)
    digest = hashlib.sha256()
    named = {other for one in members for _, other in called_kernels(one)}  # primitives too
    for name in sorted({__file__, *files, *map(inspect.getfile, {function, *named})}):
        digest.update(Path(name).read_bytes())
    for one in members:
        generated = getattr(one, _SOURCE, "")
        digest.update(f"{one.__name__} {generated} {sorted(constants_of(one).items())}".encode())
    digest.update(python.encode())
    return digest.hexdigest()[:16]
