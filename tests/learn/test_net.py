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
from rookery.learn.scoring import SCORES, WORK, score_cards

NEAR = 1e-4


def one_by_one(net: Net, examples: Examples, target: Target, decisions: int) -> list[float]:
    """Return the scores of the first decisions' cards, as `score_cards` gives them."""
    scratch = Allocator(target)
    row = numbers_of(net)
    numbers, work = map(scratch.numbers, (row, [0.0] * WORK))
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


@pytest.mark.parametrize(("target", "decisions"), [("numba", 40), ("python", 4)])
def test_all_ways_to_score_agree(target: Target, decisions: int) -> None:
    net, examples = any_net(), some_examples()
    expected = scores(net, examples.table, examples.cards, examples.owner)
    found = one_by_one(net, examples, target, decisions)
    assert np.abs(expected[: len(found)] - found).max() < NEAR
    assert np.ptp(expected) > 100 * NEAR  # it says something


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
