"""`rookery.engine.network.score_each` as Numba writes it for LLVM, in vectors of eight numbers.

The sums of some units stay in registers while all inputs are added. LLVM makes of a vector what a
processor has: one or two registers of it, or eight numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from llvmlite import ir
from numba.core import types
from numba.core.cgutils import for_range
from numba.extending import intrinsic

from rookery.engine.network import LANES, MOST_INPUTS, MOST_UNITS

Value: TypeAlias = Any  # of LLVM: neither llvmlite nor Numba says its types

_WORD: Final = ir.IntType(64)
_NUMBER: Final = ir.FloatType()
_VECTOR: Final = ir.VectorType(_NUMBER, LANES)
_ZEROS: Final = ir.Constant(_VECTOR, [0.0] * LANES)
_ZERO_IS_UNDEFINED: Final = ir.Constant(ir.IntType(1), 1)
# Vectors of sums at a time: with eight numbers each they fill half the registers of `x86-64-v2`.
_WIDE: Final = 4
_NARROW: Final = 2  # of the even inputs, and as many of the odd ones


class _Writer:
    """Writes the sums into the function of a builder."""

    def __init__(self, builder: Value) -> None:
        self.builder = builder

    def local(self, kind: Value) -> Value:
        """Return the address of new memory, which nothing is written to yet."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(kind)

    def local_row(self) -> Value:
        """Return the address of new memory for the units of a layer."""
        memory = self.local(ir.ArrayType(_NUMBER, MOST_UNITS))
        return self.builder.bitcast(memory, _NUMBER.as_pointer())

    def at(self, row: Value, place: Value) -> Value:
        """Return the address of a number of a row."""
        return self.builder.gep(row, [place])

    def vector(self, row: Value, kind: Value = _VECTOR) -> Value:
        """Return some numbers that stand one after another."""
        found = self.builder.load(self.builder.bitcast(row, kind.as_pointer()))
        found.align = 4 if kind.element is _NUMBER else 8
        return found

    def keep(self, vector: Value, row: Value) -> None:
        """Write numbers one after another."""
        self.builder.store(vector, self.builder.bitcast(row, _VECTOR.as_pointer())).align = 4

    def product(self, number: Value, row: Value) -> Value:
        """Return a number times some of a row."""
        b = self.builder
        first = b.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.IntType(32)(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return b.fmul(b.shuffle_vector(first, first, order), self.vector(row))

    def passed_on(self, sums: Value) -> Value:
        """Return those sums that are above 0, and 0 for the others."""
        return self.builder.select(self.builder.fcmp_ordered(">", sums, _ZEROS), sums, _ZEROS)

    def total(self, vector: Value) -> Value:
        """Return the sum of a vector, of its halves first."""
        b, many = self.builder, LANES
        while many > 1:
            many //= 2
            halves = (
                ir.Constant(ir.VectorType(ir.IntType(32), many), [*range(at, at + many)])
                for at in (0, many)
            )
            vector = b.fadd(*(b.shuffle_vector(vector, vector, half) for half in halves))
        return b.extract_element(vector, ir.IntType(32)(0))

    def not_zero(self, inputs: Value, size: Value, most: int) -> Value:
        """Return a mask of those of the first inputs that are not 0."""
        b, kind = self.builder, ir.VectorType(ir.DoubleType(), most)
        given = self.vector(inputs, kind)
        found = b.fcmp_unordered("!=", given, ir.Constant(kind, [0.0] * most))
        mask = b.bitcast(found, ir.IntType(most))
        mask = b.zext(mask, _WORD) if most < _WORD.width else mask
        return b.and_(mask, b.lshr(_WORD(-1), b.sub(_WORD(_WORD.width), size)))

    @contextmanager
    def each(self, mask: Value) -> Iterator[Value]:
        """Do what follows for each bit of a mask, the lowest first; yield its number."""
        b, left = self.builder, self.local(_WORD)
        check, body, end = (b.append_basic_block(name) for name in ("check", "body", "end"))
        b.store(mask, left)
        b.branch(check)
        b.position_at_end(check)
        rest = b.load(left)
        b.cbranch(b.icmp_unsigned("!=", rest, _WORD(0)), body, end)
        b.position_at_end(body)
        b.store(b.and_(rest, b.sub(rest, _WORD(1))), left)
        yield b.cttz(rest, _ZERO_IS_UNDEFINED)
        b.branch(check)
        b.position_at_end(end)

    def blocks(self, units: Value, most: int, write: Callable[[int, Value], None]) -> None:
        """Have `write` do some vectors of a layer at a time: how many, and from which unit on."""
        b = self.builder
        whole = b.udiv(units, _WORD(most * LANES))
        with for_range(b, whole) as loop:
            write(most, b.mul(loop.index, _WORD(most * LANES)))
        done = b.mul(whole, _WORD(most * LANES))
        left = b.sub(units, done)
        for vectors in range(1, most):
            with b.if_then(b.icmp_unsigned("==", left, _WORD(vectors * LANES))):
                write(vectors, done)

    def add_inputs(
        self,
        begun: Value,
        inputs: Value,
        mask: Value,
        weights: Value,
        units: Value,
        to: Value,
        done: Callable[[Value], Value] = lambda sums: sums,
    ) -> None:
        """Add the inputs of a mask, times their weights, to the sums that have begun.

        `done` says what is kept of sums.
        """
        b = self.builder

        def write(vectors: int, unit: Value) -> None:
            places = [b.add(unit, _WORD(LANES * i)) for i in range(vectors)]
            sums = [self.local(_VECTOR) for _ in places]
            for one, place in zip(sums, places, strict=True):
                b.store(self.vector(self.at(begun, place)), one)
            with self.each(mask) as i:
                number = b.fptrunc(b.load(self.at(inputs, i)), _NUMBER)
                row = self.at(weights, b.mul(i, units))
                for one, place in zip(sums, places, strict=True):
                    b.store(b.fadd(b.load(one), self.product(number, self.at(row, place))), one)
            for one, place in zip(sums, places, strict=True):
                self.keep(done(b.load(one)), self.at(to, place))

        self.blocks(units, _WIDE, write)

    def score(self, first: Value, wide: Value, weights: Value, narrow: Value) -> Value:
        """Return the score for what the first layer passes on; `weights` stand behind its own."""
        b = self.builder
        biases = self.at(weights, b.mul(wide, narrow))
        outer = self.at(biases, narrow)
        lanes = self.local(_VECTOR)
        b.store(_ZEROS, lanes)

        def write(vectors: int, unit: Value) -> None:
            places = [b.add(unit, _WORD(LANES * i)) for i in range(vectors)]
            halves = [[self.local(_VECTOR) for _ in places] for _ in range(2)]
            for even, odd, place in zip(*halves, places, strict=True):
                b.store(self.vector(self.at(biases, place)), even)
                b.store(_ZEROS, odd)
            with for_range(b, b.lshr(wide, _WORD(1))) as pair:
                for odd, sums in enumerate(halves):
                    i = b.add(b.shl(pair.index, _WORD(1)), _WORD(odd))
                    number = b.load(self.at(first, i))
                    row = self.at(weights, b.mul(i, narrow))
                    for one, place in zip(sums, places, strict=True):
                        b.store(b.fadd(b.load(one), self.product(number, self.at(row, place))), one)
            for even, odd, place in zip(*halves, places, strict=True):
                second = self.passed_on(b.fadd(b.load(even), b.load(odd)))
                worth = b.fmul(second, self.vector(self.at(outer, place)))
                b.store(b.fadd(b.load(lanes), worth), lanes)

        self.blocks(narrow, _NARROW, write)
        return self.total(b.load(lanes))


def _write(builder: Value, net: Value, numbers: Value, *given: Value) -> None:
    common, own, count, to = given
    b, w = builder, _Writer(builder)
    wide, narrow = (b.load(w.at(net, _WORD(i))) for i in range(2))
    of_table = b.bitcast(w.at(net, _WORD(2)), _NUMBER.as_pointer())
    of_thing = w.at(of_table, b.mul(common, wide))
    biases = w.at(of_thing, b.mul(own, wide))
    inner = w.at(biases, wide)
    shared, first = w.local_row(), w.local_row()
    mask = w.not_zero(numbers, common, MOST_INPUTS)
    w.add_inputs(biases, numbers, mask, of_table, wide, shared)
    with for_range(b, count) as loop:
        inputs = w.at(numbers, b.add(common, b.mul(loop.index, own)))
        mask = w.not_zero(inputs, own, MOST_INPUTS // 2)
        w.add_inputs(shared, inputs, mask, of_thing, wide, first, w.passed_on)
        score = b.fpext(w.score(first, wide, inner, narrow), ir.DoubleType())
        b.store(score, w.at(numbers, b.add(to, loop.index)))


@intrinsic
def score_each(
    _context: Value,
    net: types.Type,
    numbers: types.Type,
    common: types.Type,
    own: types.Type,
    count: types.Type,
    to: types.Type,
) -> Value:
    """Score each of some things."""

    def generate(context: Value, builder: Value, signature: Value, given: Value) -> Value:
        arrays = (
            context.make_array(kind)(context, builder, array).data
            for kind, array in zip(signature.args[:2], given, strict=False)
        )
        _write(builder, *arrays, *given[2:])
        return context.get_dummy_value()

    return types.void(net, numbers, *[types.int64] * 4), generate
