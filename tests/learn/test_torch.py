"""PyTorch fits the same weights as NumPy; run where it is installed (``rookery-cards[train]``)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learn.networks import any_net, some_examples

from rookery.learn.fit import HEAT, SURE_HEAT, Adam
from rookery.learn.net import scores

torch = pytest.importorskip("torch", reason="needs rookery-cards[train]")

NEAR = 1e-4


def test_pytorch_scores_as_numpy_does() -> None:
    from rookery.learn import fit_torch

    net, examples = any_net(), some_examples()
    expected = scores(net, examples.table, examples.cards, examples.owner)
    found = fit_torch.scores(
        [torch.tensor(array) for array in net],
        torch.tensor(examples.table),
        torch.tensor(examples.cards),
        torch.tensor(examples.owner),
    ).numpy()
    assert np.abs(expected - found).max() < NEAR
    assert np.ptp(expected) > 100 * NEAR


def test_pytorch_takes_the_same_steps_and_goes_on_where_it_was() -> None:
    from rookery.learn.fit_torch import TorchAdam

    examples = some_examples()
    ours, theirs = Adam(any_net()), TorchAdam(any_net(), "cpu")
    for turn in range(6):
        heat = HEAT if turn % 2 else SURE_HEAT
        one, other = (fitted.step(examples, 1e-3, heat) for fitted in (ours, theirs))
        assert np.allclose(one, other, atol=NEAR)
        if turn == 2:
            again = TorchAdam(any_net(2), "cpu")
            again.restore(theirs.state)
            theirs = again
    ours_say, theirs_say, before = (
        scores(net, examples.table, examples.cards, examples.owner)
        for net in (ours.net, theirs.net, any_net())
    )
    assert np.abs(ours_say - theirs_say).max() < NEAR
    assert np.abs(ours_say - before).max() > 10 * NEAR
