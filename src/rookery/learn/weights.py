"""Weights on disk: reading and writing ``.npz`` files that carry their format and a checksum.

Format ``rookery-net/1``: the arrays of `Net`, and a JSON text called ``about`` with the format, the
names of the inputs, the facts of the training, and the SHA-256 of the arrays.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.engine.network import MOST_UNITS
from rookery.files import write_file
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net
from rookery.learn.shipped import SHIPPED

FORMAT: Final = "rookery-net/1"
LARGEST: Final = 4 << 20  # bytes of a file that is read
UNPACKED: Final = 64 << 20  # bytes that its arrays take: somebody else's may be nothing but zeros

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]


class BadWeights(ValueError):
    """A file without weights that this program can use. Code: ``bad-weights``."""

    code = "bad-weights"


class Trained(NamedTuple):
    """A network and the facts of its training, by name."""

    net: Net
    facts: dict[str, Any]


def digest(arrays: Arrays) -> str:
    """Return the SHA-256 of the names, types, shapes and numbers of some arrays."""
    total = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        total.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        total.update(array.tobytes())
    return total.hexdigest()


def write_arrays(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Write arrays and their description to `path`, all or nothing."""
    text = json.dumps({**about, "sha256": digest(arrays)}, sort_keys=True)
    named: dict[str, Any] = {**arrays, "about": np.array(text)}
    file = io.BytesIO()
    np.savez(file, **named)
    write_file(path, file.getvalue())


def read_arrays(path: Path, format_: str) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the description that `write_arrays` wrote.

    Raises:
        BadWeights: it is damaged, too large, or of another format.
        OSError: it cannot be read.
    """
    data = path.read_bytes()
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            if sum(one.file_size for one in file.zip.infolist()) > UNPACKED:
                raise ValueError(f"more than {UNPACKED >> 20} MB unpacked")
            arrays = {name: file[name] for name in file.files}
        # Version 1.0 told NumPy not to pickle; before 2.2 that became one more array of the file.
        arrays.pop("allow_pickle", None)
        about: Any = json.loads(str(arrays.pop("about")))
        kind, wanted = about["format"], about["sha256"]
    except Exception as error:  # whatever NumPy and each way of packing may say of bytes
        raise BadWeights(f"{path}: damaged or no file of this program's ({error})") from None
    if kind != format_:
        raise BadWeights(f"{path}: its format is {kind}; expected {format_}")
    if digest(arrays) != wanted:
        raise BadWeights(f"{path}: damaged; its numbers do not fit their SHA-256")
    return arrays, about


def write_weights(path: Path, net: Net, facts: Mapping[str, Any]) -> None:
    """Write a network and the facts of its training."""
    about = {
        "format": FORMAT,
        "table_inputs": TABLE_INPUTS,
        "card_inputs": CARD_INPUTS,
        "facts": dict(facts),
    }
    write_arrays(path, net._asdict(), about)


def read_weights(path: Path) -> Trained:
    """Return the network in a file and the facts of its training.

    Raises:
        BadWeights: it is damaged, or a network with other inputs than this program's.
        OSError: it cannot be read.
    """
    if path.stat().st_size > LARGEST:
        raise BadWeights(f"{path}: more than {LARGEST >> 20} MB; expected weights")
    arrays, about = read_arrays(path, FORMAT)
    for kind, known in (("table_inputs", TABLE_INPUTS), ("card_inputs", CARD_INPUTS)):
        if tuple(about.get(kind, ())) != known:
            raise BadWeights(
                f"{path}: learned from other {kind.replace('_', ' ')} than this version's; "
                "train it again"
            )
    if set(arrays) != set(Net._fields):
        raise BadWeights(f"{path}: expected the arrays {', '.join(Net._fields)}")
    net = Net(**arrays)
    _check(path, net)
    return Trained(net, dict(about.get("facts", {})))


def _check(path: Path, net: Net) -> None:
    if net.inner.ndim != 2:
        raise BadWeights(f"{path}: inner has {net.inner.ndim} dimensions; expected 2")
    wide, narrow = net.inner.shape
    if not (1 <= wide <= MOST_UNITS and 1 <= narrow <= MOST_UNITS):
        raise BadWeights(f"{path}: inner is {wide, narrow}; expected 1 to {MOST_UNITS} units")
    shapes = {
        "table": (len(TABLE_INPUTS), wide),
        "card": (len(CARD_INPUTS), wide),
        "bias": (wide,),
        "inner_bias": (narrow,),
        "outer": (narrow,),
    }
    for name, shape in shapes.items():
        actual = getattr(net, name).shape
        if actual != shape:
            raise BadWeights(f"{path}: {name} is {actual}; expected {shape}")
    for name, array in net._asdict().items():
        if array.dtype != np.float32 or not np.isfinite(array).all():
            raise BadWeights(f"{path}: {name} is not all finite numbers of 32 bits")


@cache
def shipped() -> Trained:
    """Return the network that comes with the program. It is shared: do not change it."""
    return read_weights(SHIPPED)
