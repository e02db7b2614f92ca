"""`rookery-rng-1`: the vectors of its page, its arithmetic, and whether its shuffles are fair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.cards import CARDS, card_name
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.records import array_of
from rookery.engine.rng import WORD, A, advanced, below, mixed, output, seeded
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.rules import variant
from rookery.rules.table import RuleTable, compile_rules

PAGE = Path(__file__).parents[2] / "docs" / "design" / "rng.md"
LIMIT = 1 << 63
DEALS = 1_000_000
DEVIATIONS = 5.0

seeds = st.integers(min_value=0, max_value=LIMIT - 1)
# Without the two states that lead to themselves.
states = st.integers(min_value=1, max_value=A * (WORD + 1) - 2)


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the page's table that has this heading."""
    lines = iter(PAGE.read_text(encoding="utf-8").splitlines())
    found = []
    for line in lines:
        if line.startswith(f"| {heading} |"):
            next(lines)
            for row in lines:
                if not row.startswith("|"):
                    break
                found.append([cell.strip() for cell in row.strip("|").split("|")])
    assert found, f"the page has no table headed {heading}"
    return found


def test_the_page_says_what_mixed_does() -> None:
    assert [mixed(int(x)) for x, _ in rows("x")] == [int(y) for _, y in rows("x")]


def test_the_page_says_what_seeded_and_output_do() -> None:
    table = rows("seed | stream")
    assert len(table) == 10
    for seed, stream, state, outputs in table:
        now = seeded(int(seed), int(stream))
        assert now == int(state)
        for expected in outputs.split():
            now = advanced(now)
            assert output(now) == int(expected)


def test_the_page_says_what_below_does() -> None:
    for n, numbers in rows("n"):
        owner = Hidden(rng=seeded(1, 0))
        assert [below(owner, int(n)) for _ in range(8)] == [int(x) for x in numbers.split()]


def test_the_page_says_how_a_seed_is_dealt() -> None:
    table = compile_rules(variant("kd_tournament"))
    dealt = {(seed, place): cards.split() for seed, place, cards in rows("seed | to")}
    assert len(dealt) == 15
    for seed in (1, 2, 3):
        s, h, order = State(), Hidden(rng=seeded(seed, 0)), [0] * CARDS
        shuffle(table, h, order)
        names = [card_name(card) for card in order[:41]]
        for place in range(4):
            assert dealt[str(seed), f"seat {place}"] == names[9 * place : 9 * place + 9]
        assert dealt[str(seed), "nest"] == names[36:]
        deal(table, s, h, order, 0)
        assert [h.hand[place] for place in range(4)] == [
            sum(1 << card for card in order[9 * place : 9 * place + 9]) for place in range(4)
        ]


def is_prime(n: int) -> bool:
    """Return whether n < 3.3 * 10^24 is prime (Miller and Rabin with the first thirteen primes)."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if n < 2 or any(n % p == 0 for p in small):
        return n in small
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in small:
        x = pow(base, odd, n)
        if x not in (1, n - 1) and all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


def test_the_period_is_as_long_as_the_page_says() -> None:
    assert [n for n in range(60) if is_prime(n)] == [
        *(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)
    ]
    assert not is_prime(3215031751)
    modulus = A * (WORD + 1) - 1
    assert is_prime(modulus)
    assert is_prime(modulus // 2)
    # The order of 2^32 divides twice a prime; it is neither 1 nor 2.
    assert pow(WORD + 1, 2, modulus) != 1
    assert modulus < LIMIT


@given(states)
def test_a_state_leads_to_a_state_and_no_step_reaches_2_to_63(state: int) -> None:
    assert A * (state & WORD) < LIMIT
    assert 0 <= advanced(state) < A * (WORD + 1) < LIMIT
    assert 0 <= output(state) <= WORD
    assert output(state) << 31 < LIMIT


def test_two_states_lead_to_themselves() -> None:
    for state in (0, A * (WORD + 1) - 1):
        assert advanced(state) == state


def test_a_state_of_0_counts_as_1() -> None:
    """A record in C begins with it; as it leads to itself, some `n` would never get a number."""
    zero, one = Hidden(rng=0), Hidden(rng=1)
    assert [below(zero, 57) for _ in range(9)] == [below(one, 57) for _ in range(9)]


@given(states)
def test_advancing_is_division_by_2_to_32(state: int) -> None:
    """The textbook's form of multiply-with-carry; so no two states lead to the same one."""
    assert advanced(state) * (WORD + 1) % (A * (WORD + 1) - 1) == state % (A * (WORD + 1) - 1)


@given(seeds, seeds)
def test_seeding_gives_a_state(seed: int, stream: int) -> None:
    state = seeded(seed, stream)
    assert 1 <= state >> 32 < A
    assert advanced(state) != state


def test_the_steps_of_seeding_stay_small() -> None:
    assert (WORD * 0x45D9F3B) < LIMIT
    assert seeded(LIMIT - 1, LIMIT - 1) != seeded(LIMIT - 1, 0) != seeded(0, 0)


class Fixed:
    """Stands for a generator whose next states are given."""

    def __init__(self, rng: int) -> None:
        self.rng = rng


@given(states, st.integers(min_value=1, max_value=1 << 31))
def test_below_keeps_whole_blocks_of_numbers(state: int, n: int) -> None:
    """Once those below 2^32 % n are thrown away, as many words stand for each answer."""
    owner = Fixed(state)
    answer = below(owner, n)
    product = output(owner.rng) * n
    assert answer == product >> 32 < n
    assert product & WORD >= (WORD + 1) % n


# From here on: a million deals.


@kernel
def swap_with_any(table: RuleTable, h: Hidden, order: list[int]) -> None:
    """The control: every place changes with any other, which favours some orders."""
    for i in range(table.cards):
        order[i] = table.deck[i]
    for i in range(table.cards):
        j = below(h, table.cards)
        card = order[i]
        order[i] = order[j]
        order[j] = card


@kernel
def count_orders(
    table: RuleTable,
    h: Hidden,
    order: list[int],
    index: list[int],
    deals: int,
    fair: int,
    places: list[list[int]],
    beside: list[list[int]],
    behind: list[list[int]],
    following: list[list[int]],
) -> None:
    """Shuffle `deals` times; count card and place, places 0 and 1, 0 and 10, deal after deal."""
    before = -1
    for _ in range(deals):
        if fair:
            shuffle(table, h, order)
        else:
            swap_with_any(table, h, order)
        for place in range(table.cards):
            places[index[order[place]]][place] += 1
        first = index[order[0]]
        beside[first][index[order[1]]] += 1
        behind[first][index[order[10]]] += 1
        if before >= 0:
            following[before][first] += 1
            before = -1
        else:
            before = first


Counts = dict[str, npt.NDArray[np.int64]]


def counted(seed: int, fair: bool) -> Counts:
    table = compile_rules(variant("kd_tournament"))
    index = np.zeros(CARDS, dtype=np.int64)
    index[table.deck[: table.cards]] = np.arange(table.cards)
    counts = {
        name: np.zeros((table.cards, table.cards), dtype=np.int64)
        for name in ("places", "beside", "behind", "following")
    }
    count: Callable[..., Any] = load("numba", count_orders)
    hidden = array_of(Hidden(rng=seeded(seed, 0)))[0]
    order = np.zeros(CARDS, dtype=np.int64)
    count(array_of(table)[0], hidden, order, index, DEALS, int(fair), *counts.values())
    return counts


@pytest.fixture(scope="module")
def fair() -> Counts:
    return counted(1906, True)


@pytest.fixture(scope="module")
def unfair() -> Counts:
    return counted(1906, False)


def deviations(
    counts: npt.NDArray[np.int64], possible: npt.NDArray[np.bool_], freedom: int
) -> float:
    """Return by how many standard deviations chi-square over equal cells misses its mean."""
    assert counts[~possible].sum() == 0
    seen = counts[possible].astype(float)
    expected = seen.sum() / seen.size
    chi_square = float(((seen - expected) ** 2 / expected).sum())
    return (chi_square - freedom) / float(np.sqrt(2 * freedom))


def places(counts: Counts) -> float:
    """Return the deviation of card against place, a deal being a permutation."""
    cells = counts["places"]
    n = len(cells)
    chi_square = float(((cells - DEALS / n) ** 2 / (DEALS / n)).sum()) * (n - 1) / n
    freedom = (n - 1) ** 2
    return (chi_square - freedom) / float(np.sqrt(2 * freedom))


def pairs(counts: Counts, name: str) -> float:
    """Return the deviation of pairs of cards; within one deal no card is its own neighbour."""
    cells = counts[name]
    possible = np.ones_like(cells, dtype=bool)
    if name != "following":
        np.fill_diagonal(possible, False)
    return deviations(cells, possible, int(possible.sum()) - 1)


@pytest.mark.numba
@pytest.mark.slow
def test_every_card_lies_in_every_place_equally_often(fair: Counts) -> None:
    assert fair["places"].sum() == DEALS * 41
    assert abs(places(fair)) < DEVIATIONS


@pytest.mark.numba
@pytest.mark.slow
@pytest.mark.parametrize("name", ["beside", "behind", "following"])
def test_no_two_cards_seek_or_shun_each_other(fair: Counts, name: str) -> None:
    assert fair[name].sum() == (DEALS // 2 if name == "following" else DEALS)
    assert abs(pairs(fair, name)) < DEVIATIONS


@pytest.mark.numba
@pytest.mark.slow
def test_a_faulty_shuffle_is_found(unfair: Counts) -> None:
    assert places(unfair) > 100
    assert pairs(unfair, "beside") > DEVIATIONS
    assert pairs(unfair, "behind") > DEVIATIONS


@kernel
def count_firsts(cells: int, count: int, seed_step: int, stream_step: int, out: list[int]) -> None:
    """Count the leading digits of the first numbers of neighbouring seeds or streams."""
    for i in range(count):
        out[output(advanced(seeded(i * seed_step, i * stream_step))) * cells >> 32] += 1


@pytest.mark.numba
@pytest.mark.parametrize(("seed_step", "stream_step"), [(1, 0), (0, 1), (1, 1), (1 << 32, 0)])
def test_neighbouring_seeds_have_nothing_in_common(seed_step: int, stream_step: int) -> None:
    counts = np.zeros(1000, dtype=np.int64)
    count: Callable[..., Any] = load("numba", count_firsts)
    count(counts.size, DEALS, seed_step, stream_step, counts)
    assert counts.sum() == DEALS
    assert abs(deviations(counts, np.ones(1000, dtype=bool), 999)) < DEVIATIONS
