"""A kernel's source, rewritten for one rule set before a target compiles it.

Wherever a kernel says ``table.seats`` the rewritten one says ``4``, and a branch that can then
never be taken is dropped. So one source has the speed of code written for one variant alone.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import textwrap
import types
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, Final, TypeAlias
from weakref import WeakValueDictionary

from rookery.engine.kernel import constants_of, source_of
from rookery.rules.fields import layout
from rookery.rules.table import RuleTable

Constants: TypeAlias = tuple[tuple[str, int], ...]

_PLACE: Final = "__place__"
_FOLDED: Final = (
    ast.Constant,
    ast.Compare,
    ast.BinOp,
    ast.UnaryOp,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
)


def table_hash(table: RuleTable | None, constants: Constants = ()) -> str:
    """Return a name for code specialised to a table and constants; ``generic`` without both."""
    if table is None and not constants:
        return "generic"
    return hashlib.sha256(f"{table!r} {constants}".encode()).hexdigest()[:16]


class Parts:
    """What a target has made of kernels that others call, as long as it is in use.

    Several kernels for one rule set call much the same, which so is compiled once.
    """

    def __init__(self) -> None:
        self._made: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()

    def part(
        self,
        function: Callable[..., Any],
        names: dict[str, Any],
        made_for: Hashable,
        make: Callable[[], Any],
    ) -> Any:  # noqa: ANN401  (a target's own)
        """Return what `make` makes of a kernel, or has made of it before.

        Args:
            function: the kernel.
            names: what it calls, as the target has made it.
            made_for: all else that it is made for.
            make: makes it.
        """
        constants = tuple(sorted(constants_of(function).items()))
        key = (function, tuple(names.items()), made_for, constants)
        found = self._made.get(key)
        if found is None:
            self._made[key] = found = make()
        return found


@cache
def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    source, first = source_of(function)
    node = ast.parse(textwrap.dedent(source)).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function} is no plain function")
    ast.increment_lineno(node, first - 1)
    node.decorator_list = []
    node.returns = None
    for argument in node.args.args:
        argument.annotation = None
    return node


class _Specialiser(ast.NodeTransformer):
    """Writes a rule set's scalars into a kernel and drops the branches that they rule out.

    The constants of the kernel's module are written in too, for what they decide together with the
    scalars: ``table.bonus == PER_TRICK`` is settled only when both are numbers.
    """

    def __init__(
        self, function: Callable[..., Any], table: RuleTable | None, constants: Constants
    ) -> None:
        fields = () if table is None else layout(RuleTable)
        self.scalars = {n: getattr(table, n) for n, size in fields if not size}
        local = function.__code__.co_varnames
        known = {**function.__globals__, **dict(constants)}
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


class _Placing(ast.NodeTransformer):
    """Passes every place in a list that is no constant through a function of the target."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            node.slice.elts = [self._placed(at) for at in node.slice.elts]
        else:
            node.slice = self._placed(node.slice)
        return node

    def _placed(self, at: ast.expr) -> ast.expr:
        if isinstance(at, ast.Constant | ast.Slice):
            return at
        return ast.copy_location(ast.Call(ast.Name(_PLACE, ast.Load()), [at], []), at)


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


def specialised(
    function: Callable[..., Any],
    table: RuleTable | None,
    names: dict[str, Any],
    constants: Constants = (),
    place: Callable[[int], int] | None = None,
) -> Callable[..., Any]:
    """Return a fresh function like `function`, bound to `table`, with `names` as globals.

    `constants` are used in place of those in the function's module. A target may say by `place`
    where in a list something stands: a kernel never counts from the end of one.
    """
    node = copy.deepcopy(_definition(function))
    if table is not None or constants:
        node = _Specialiser(function, table, constants).visit(node)
    if place:
        node = _Placing().visit(node)
    module = ast.fix_missing_locations(ast.Module(body=[node], type_ignores=[]))
    scope: dict[str, Any] = {**function.__globals__, **names, _PLACE: place}
    exec(compile(module, inspect.getfile(function), "exec"), scope)  # noqa: S102  (our own source)
    made: types.FunctionType = scope[function.__name__]
    made.__module__ = function.__module__
    return made
