"""Weights on disk are read back as they were, or refused in one line that says why."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.networks import any_net

from rookery.learn import weights
from rookery.learn.course import PRESETS
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net, numbers_of, random_net
from rookery.learn.shipped import SHIPPED, shipped_numbers
from rookery.learn.weights import BadWeights, read_weights, shipped, write_arrays, write_weights


def about(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    said = {
        "format": weights.FORMAT,
        "table_inputs": TABLE_INPUTS,
        "card_inputs": CARD_INPUTS,
        "facts": {},
    }
    return {**said, **changes}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    net = any_net()
    write_weights(tmp_path / "w.npz", net, {"decisions": 5})
    found = read_weights(tmp_path / "w.npz")
    assert all(np.array_equal(a, b) for a, b in zip(found.net, net, strict=True))
    assert found.facts == {"decisions": 5}
    assert [path.name for path in tmp_path.iterdir()] == ["w.npz"]  # nothing half-written


def test_only_arrays_are_handed_to_numpy_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before 2.2 it takes every other name for one more array."""
    handed: list[set[str]] = []
    save = np.savez

    def watched(file: Any, **arrays: Any) -> None:  # noqa: ANN401
        handed.append(set(arrays))
        save(file, **arrays)

    monkeypatch.setattr(np, "savez", watched)
    write_weights(tmp_path / "w.npz", any_net(), {})
    assert handed == [{*Net._fields, "about"}]


def test_the_array_too_many_that_an_older_numpy_has_written_is_passed_over(tmp_path: Path) -> None:
    path, net = tmp_path / "w.npz", any_net()
    write_weights(path, net, {})
    with zipfile.ZipFile(path, "a") as file, file.open("allow_pickle.npy", "w") as more:
        np.save(more, np.array(False))
    found = read_weights(path).net
    assert all(np.array_equal(a, b) for a, b in zip(found, net, strict=True))


def test_the_shipped_network_is_small_and_tells_how_it_was_trained() -> None:
    assert SHIPPED.stat().st_size < 4 << 20
    assert shipped().facts["decisions"] > 100_000
    assert set(shipped().facts) >= {"course", "decisions", "exam"}


def test_the_shipped_network_is_the_same_without_numpy() -> None:
    assert shipped_numbers() == numbers_of(shipped().net)


def test_the_shipped_network_was_trained_as_a_preset_says() -> None:
    told = dict(shipped().facts["course"])
    assert told.pop("seed") == 2027
    assert told == json.loads(json.dumps(asdict(PRESETS["half-hour"])))


def cut_short(path: Path, net: Net) -> None:
    write_weights(path, net, {})
    path.write_bytes(path.read_bytes()[:-200])


def one_number_changed(path: Path, net: Net) -> None:
    write_weights(path, net, {})
    data = bytearray(path.read_bytes())
    with np.load(path) as file:
        text = str(file["about"])
    changed = net.inner.copy()
    changed[0, 0] += 1
    arrays = {**net._replace(inner=changed)._asdict(), "about": np.array(text)}
    np.savez(path, allow_pickle=False, **arrays)
    assert data != path.read_bytes()


def older(path: Path, net: Net) -> None:
    write_arrays(path, net._asdict(), about(format="rookery-net/0"))


def other_inputs(path: Path, net: Net) -> None:
    write_arrays(path, net._asdict(), about(card_inputs=CARD_INPUTS[1:]))


def other_size(path: Path, net: Net) -> None:
    write_arrays(path, net._replace(bias=net.bias[1:])._asdict(), about())


def too_wide(path: Path, net: Net) -> None:
    sizes = len(TABLE_INPUTS), len(CARD_INPUTS)
    write_weights(path, random_net(*sizes, wide=300, narrow=8, seed=1), {})


def empty_layer(path: Path, net: Net) -> None:
    sizes = len(TABLE_INPUTS), len(CARD_INPUTS)
    write_weights(path, random_net(*sizes, wide=16, narrow=1, seed=1)._replace(
        inner=np.zeros((16, 0), np.float32), inner_bias=np.zeros(0, np.float32),
        outer=np.zeros(0, np.float32),
    ), {})  # fmt: skip


def missing(path: Path, net: Net) -> None:
    arrays = net._asdict()
    del arrays["outer"]
    write_arrays(path, arrays, about())


def not_a_number(path: Path, net: Net) -> None:
    net.inner[0, 0] = np.nan
    write_arrays(path, net._asdict(), about())


def no_archive(path: Path, net: Net) -> None:
    path.write_text("no weights here")


def too_large(path: Path, net: Net) -> None:
    path.write_bytes(bytes(5 << 20))


def packed_and_spoilt(path: Path, net: Net) -> None:
    np.savez_compressed(path, allow_pickle=False, about=np.zeros(999))
    data = bytearray(path.read_bytes())
    start = data.index(b"about.npy") + 60
    data[start : start + 20] = b"\xaa" * 20
    path.write_bytes(data)


def larger_than_memory(path: Path, net: Net) -> None:
    head = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({1 << 50},), }}"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("about.npy", b"\x93NUMPY\x01\x00\x76\x00" + head.ljust(117).encode() + b"\n")


def far_larger_unpacked(path: Path, net: Net) -> None:
    np.savez_compressed(path, allow_pickle=False, about=np.zeros(65 << 20, np.uint8))
    assert path.stat().st_size < 100_000


def something_else(path: Path, net: Net) -> None:
    np.savez(path, allow_pickle=False, about=np.array(json.dumps([1])))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (cut_short, "damaged"),
        (one_number_changed, "do not fit their SHA-256"),
        (older, "rookery-net/0; expected rookery-net/1"),
        (other_inputs, "other card inputs than this version's"),
        (other_size, "bias is (15,); expected (16,)"),
        (too_wide, "inner is (300, 8); expected 1 to 256 units"),
        (empty_layer, "inner is (16, 0); expected 1 to 256 units"),
        (missing, "expected the arrays"),
        (not_a_number, "inner is not all finite"),
        (no_archive, "damaged or no file"),
        (too_large, "more than 4 MB"),
        (packed_and_spoilt, "damaged or no file"),
        (larger_than_memory, "damaged or no file"),
        (far_larger_unpacked, "more than 64 MB unpacked"),
        (something_else, "damaged or no file"),
    ],
)
def test_what_is_no_network_is_refused_in_one_line(
    spoilt: Callable[[Path, Net], None], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "w.npz"
    spoilt(path, any_net())
    with pytest.raises(BadWeights, match=r"w\.npz: ") as error:
        read_weights(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
