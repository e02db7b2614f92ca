"""The scores are the same by NumPy, by compiled code and in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learn.networks import any_net, some_examples

from rookery.engine.records import Allocator
from rookery.engine.targets import Target, load
from rookery.learn.examples import Examples
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net, numbers_of, random_net, scores
from rookery.learn.scoring import MOST_CARDS, SCORES, WORK, score_cards

NEAR = 1e-4


def one_by_one(net: Net, examples: Examples, target: Target, decisions: int) -> list[float]:
    """Return the scores of the first decisions' cards, as `score_cards` gives them."""
    scratch = Allocator(target)
    numbers, work = scratch.numbers(numbers_of(net)), scratch.numbers([0.0] * WORK)
    run = load(target, score_cards)
    found: list[float] = []
    for i in range(decisions):
        first, last = examples.start[i], examples.start[i + 1]
        told = [*examples.table[i].tolist(), *examples.cards[first:last].flat]
        work[: len(told)] = told if target != "numba" else np.array(told)
        best = run(numbers, work, int(last - first))
        score = [float(one) for one in work[SCORES : SCORES + last - first]]
        found += score
        assert best == int(np.argmax(score))
    return found


# What is done at once: 32 units and 16, or what is left of them. Other sizes are filled up.
SIZES = [(16, 8), (64, 16), (24, 24), (104, 40), (13, 5)]
BOTH: tuple[Target, Target] = ("python", "numba")


@pytest.mark.parametrize(("wide", "narrow"), SIZES)
@pytest.mark.parametrize(("target", "decisions"), [("numba", 40), ("python", 4)])
def test_all_ways_to_score_agree(target: Target, decisions: int, wide: int, narrow: int) -> None:
    net, examples = any_net(1, wide, narrow), some_examples()
    expected = scores(net, examples.table, examples.cards, examples.owner)
    found = one_by_one(net, examples, target, decisions)
    assert np.abs(expected[: len(found)] - found).max() < NEAR
    assert np.ptp(expected) > 100 * NEAR  # it says something


@pytest.mark.parametrize(("wide", "narrow"), SIZES)
def test_plain_and_compiled_code_agree_to_the_last_bit(wide: int, narrow: int) -> None:
    net, examples = any_net(2, wide, narrow), some_examples()
    net.bias[:] = np.linspace(-0.3, 0.3, wide)
    net.inner_bias[:] = np.linspace(-0.1, 0.2, narrow)
    plain, compiled = (one_by_one(net, examples, target, 6) for target in BOTH)
    assert plain == compiled
    # The control: NumPy adds up in another order, and that shows.
    told = scores(net, examples.table, examples.cards, examples.owner)
    assert np.abs(told[: len(plain)] - plain).max() > 0


INPUTS = (0.0, -0.0, 1.0, -1.0, 1 / 3, 20.0, 1e-50, -5e-324)  # some are 0 in 32 bits


@pytest.mark.parametrize(("wide", "narrow"), [(3, 1), (13, 5), (256, 8), (8, 256)])
@pytest.mark.parametrize("size", [1e-42, 1e38])
def test_numbers_of_any_size_are_the_same_to_the_last_bit(
    size: float, wide: int, narrow: int
) -> None:
    """Near 0 all lose the same bits; what is too large is infinite, or no number; 0 has a sign."""
    net = any_net(5, wide, narrow)
    net = net._replace(
        table=net.table * np.float32(size),
        card=net.card * np.float32(size),
        bias=np.linspace(0.2, -0.1, wide, dtype=np.float32) * np.float32(size),
        inner=np.where(np.arange(narrow) % 2, net.inner, np.abs(net.inner)),
        inner_bias=np.linspace(0.2, -0.1, narrow, dtype=np.float32) * np.float32(size),
        outer=net.outer * 100,
    )
    numbers, dice = numbers_of(net), np.random.default_rng(wide)
    seen = set[float]()
    for count in (0, 1, MOST_CARDS):
        given = [*dice.choice(INPUTS, SCORES).tolist(), *[0.5] * MOST_CARDS]
        rows: list[list[float]] = []
        for target in BOTH:
            scratch = Allocator(target)
            work = scratch.numbers(given)
            load(target, score_cards)(scratch.numbers(numbers), work, count)
            rows.append([*map(float, work)])
        assert [*map(repr, rows[0])] == [*map(repr, rows[1])]
        assert rows[0][:SCORES] == given[:SCORES]
        assert rows[0][SCORES + count :] == given[SCORES + count :]
        seen |= {abs(score) for score in rows[0][SCORES : SCORES + count]}
    few_bits = np.finfo(np.float32).tiny
    assert any(0 < one < few_bits for one in seen) if size < 1 else not np.isfinite([*seen]).all()


def test_a_difference_in_one_weight_shows() -> None:
    # The control: with another weight the scores no longer agree.
    net, examples = any_net(), some_examples()
    expected = scores(net, examples.table, examples.cards, examples.owner)
    at = int(np.argmax(np.abs(examples.cards).sum(0)))
    net.card[at] += 0.1
    found = one_by_one(net, examples, "numba", 10)
    assert np.abs(expected[: len(found)] - found).max() > NEAR


def test_the_same_seed_gives_the_same_initial_net_and_another_does_not() -> None:
    sizes = (len(TABLE_INPUTS), len(CARD_INPUTS), 16, 8)
    one, same, other = (
        random_net(*sizes, seed=1),
        random_net(*sizes, seed=1),
        random_net(*sizes, seed=2),
    )
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one.inner, other.inner)
    assert {array.dtype for array in one} == {np.dtype(np.float32)}


def test_a_layer_that_is_too_wide_is_refused() -> None:
    # Otherwise the list of its units would be written over what stands behind it.
    assert numbers_of(any_net(wide=256, narrow=8))[:2] == [256, 8]
    with pytest.raises(ValueError, match="expected 256 at most"):
        numbers_of(any_net(wide=257, narrow=8))
