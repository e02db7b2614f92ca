"""PyTorch fits the same weights as NumPy; run where it is installed (``rookery[train]``)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learn.practised import any_net, some_lessons

from rookery.learn.fit import Fit
from rookery.learn.net import scores

torch = pytest.importorskip("torch", reason="needs rookery[train]")

NEAR = 1e-4


def test_pytorch_scores_as_numpy_does() -> None:
    from rookery.learn import fit_torch

    net, lessons = any_net(), some_lessons()
    expected = scores(net, lessons.table, lessons.cards, lessons.owner)
    found = fit_torch.scores(
        [torch.tensor(array) for array in net],
        torch.tensor(lessons.table),
        torch.tensor(lessons.cards),
        torch.tensor(lessons.owner),
    ).numpy()
    assert np.abs(expected - found).max() < NEAR
    assert np.ptp(expected) > 100 * NEAR


def test_pytorch_takes_the_same_steps_and_goes_on_where_it_was() -> None:
    from rookery.learn.fit_torch import TorchFit

    lessons = some_lessons()
    ours, theirs = Fit(any_net()), TorchFit(any_net(), "cpu")
    for turn in range(6):
        one, other = ours.step(lessons, 1e-3), theirs.step(lessons, 1e-3)
        assert np.allclose(one, other, atol=NEAR)
        if turn == 2:
            again = TorchFit(any_net(2), "cpu")
            again.recall(theirs.memory)
            theirs = again
    ours_say, theirs_say, before = (
        scores(net, lessons.table, lessons.cards, lessons.owner)
        for net in (ours.net, theirs.net, any_net())
    )
    assert np.abs(ours_say - theirs_say).max() < NEAR
    assert np.abs(ours_say - before).max() > 10 * NEAR
