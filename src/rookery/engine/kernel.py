"""The mark that lets a function run three ways, and `load`, which makes it do so.

A function marked ``@kernel`` stays a plain Python function. `load` compiles it, with every kernel
that it calls, for Numba or CUDA. Given a rule set, it first writes that rule set's scalars into the
source: wherever a kernel says ``table.seats`` the compiled one says ``4``, and a branch that can
then never be taken is dropped. One source, and the speed of code written for one variant alone.

By convention the parameter that holds a `RuleTable` is called ``table`` in every kernel.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib
import inspect
import sys
import textwrap
import threading
import types
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from rookery.engine import bits
from rookery.rules.fields import layout
from rookery.rules.table import RuleTable

Target: TypeAlias = Literal["python", "numba", "cuda"]
Given: TypeAlias = tuple[tuple[str, int], ...]
_Function = TypeVar("_Function", bound=Callable[..., Any])

_MARK: Final = "__rookery_kernel__"
_FOLDED: Final = (
    ast.Constant,
    ast.Compare,
    ast.BinOp,
    ast.UnaryOp,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
)
_CONSTANT: Final = (int, float, tuple)
_PRIMITIVES: Final = (bits.count, bits.lowest, bits.highest)


def kernel(function: _Function) -> _Function:
    """Mark `function` as one that the three targets share; returns it unchanged."""
    setattr(function, _MARK, True)
    return function


def called_kernels(function: Callable[..., Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the kernels and bit primitives that a kernel names, with the names it uses for them."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if callable(value) and (value in _PRIMITIVES or hasattr(value, _MARK)):
            yield name, value


def family(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return a kernel and all that it calls, each after those that it calls itself."""
    found: dict[Callable[..., Any], None] = {}

    def visit(one: Callable[..., Any]) -> None:
        if one in found or one in _PRIMITIVES:
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


def sources_hash(function: Callable[..., Any], *files: str) -> str:
    """Return a hash of all that compiled code is made from, for naming a cache: 16 hex digits.

    That is the source files of a kernel's whole family, the values of the constants that it reads,
    wherever they are written, Python's version and `files`. Numba's own disk cache looks at one
    file and sees none of the others. Layouts of records are types, which Numba does look at.
    """
    members = family(function)
    digest = hashlib.sha256()
    for name in sorted({__file__, *files, *map(inspect.getfile, members)}):
        digest.update(Path(name).read_bytes())
    for one in members:
        digest.update(f"{one.__name__} {sorted(constants_of(one).items())}".encode())
    digest.update(sys.version.encode())
    return digest.hexdigest()[:16]


def table_hash(table: RuleTable | None, given: Given = ()) -> str:
    """Return a name for the code specialised to `table` and `given`; ``generic`` for no table."""
    if table is None:
        return "generic"
    return hashlib.sha256(f"{table!r} {given}".encode()).hexdigest()[:16]


@cache
def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    lines, first = inspect.getsourcelines(function)
    node = ast.parse(textwrap.dedent("".join(lines))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function} is no plain function")
    ast.increment_lineno(node, first - 1)
    node.decorator_list = []
    node.returns = None
    for argument in node.args.args:
        argument.annotation = None
    return node


class _Bind(ast.NodeTransformer):
    """Writes a rule set's scalars into a kernel and drops the branches that they rule out.

    The constants of the kernel's module are written in too, for what they decide together with the
    scalars: ``table.bonus == PER_TRICK`` is settled only when both are numbers.
    """

    def __init__(self, function: Callable[..., Any], table: RuleTable, given: Given) -> None:
        self.scalars = {n: getattr(table, n) for n, size in layout(RuleTable) if not size}
        local = function.__code__.co_varnames
        known = {**function.__globals__, **dict(given)}
        self.constants = {n: v for n, v in known.items() if type(v) is int and n not in local}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.constants:
            return ast.copy_location(ast.Constant(self.constants[node.id]), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if (
            isinstance(node.value, ast.Name)
            and node.value.id == "table"
            and node.attr in self.scalars
        ):
            return ast.copy_location(ast.Constant(self.scalars[node.attr]), node)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        truth = _truth(node.test)
        if truth is None:
            return node
        return (node.body if truth else node.orelse) or ast.copy_location(ast.Pass(), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        truth = _truth(node.test)
        return node if truth is None else node.body if truth else node.orelse


def _truth(test: ast.expr) -> bool | None:
    """Return the value of a condition that the constants in it decide, else None."""
    if isinstance(test, ast.BoolOp):
        known = [_truth(value) for value in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in known[:1] or (
            decisive in known and None not in known[: known.index(decisive)]
        ):
            return decisive
        return None if None in known else not decisive
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(test.operand)
        return None if inner is None else not inner
    if all(isinstance(n, _FOLDED) for n in ast.walk(test)):
        return bool(eval(compile(ast.Expression(test), "<bound>", "eval")))  # noqa: S307  (our own constants)
    return None


def rebuilt(
    function: Callable[..., Any], table: RuleTable | None, names: dict[str, Any], given: Given = ()
) -> Callable[..., Any]:
    """Return a fresh function like `function`, bound to `table`, with `names` as globals.

    `given` are constants to use in place of those in the function's module.
    """
    node = copy.deepcopy(_definition(function))
    if table is not None:
        node = _Bind(function, table, given).visit(node)
    module = ast.fix_missing_locations(ast.Module(body=[node], type_ignores=[]))
    scope: dict[str, Any] = {**function.__globals__, **names}
    exec(compile(module, inspect.getfile(function), "exec"), scope)  # noqa: S102  (our own source)
    made: types.FunctionType = scope[function.__name__]
    made.__module__ = function.__module__
    return made


@lru_cache(maxsize=256)
def _loaded(
    target: Target, function: Callable[..., Any], key: str, given: Given
) -> Callable[..., Any]:
    table = _TABLES.get(key)
    module = importlib.import_module(f"rookery.engine.{target}_target")
    built: Callable[..., Any] = module.build(function, table, given)
    return built


_TABLES: dict[str, RuleTable] = {}
_LOADING: Final = threading.RLock()


def load(
    target: Target, function: _Function, table: RuleTable | None = None, given: Given = ()
) -> _Function:
    """Return `function` for a target: itself, compiled by Numba, or a CUDA function.

    With `table` the compiled code is specialised to that rule set and must be called with it alone.
    `given` are constants, by name, to compile in place of those in the kernels' modules, such as
    ``SEATED`` of `rookery.bots.decide`; they may leave out what a run never reaches, nothing else.

    >>> from rookery.engine.rng import advanced
    >>> load("python", advanced) is advanced
    True
    """
    if target == "python":
        return function
    key = table_hash(table, given)
    with _LOADING:  # one compilation, however many threads ask for it
        if table is not None:
            _TABLES[key] = table
        return _loaded(target, function, key, given)  # type: ignore[return-value]
