"""Arrays on a GPU, as others get them and give them: by DLPack, or by CUDA's array interface."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rookery.engine.targets.cuda import SIMULATED, cuda

CUDA_DEVICES: Final = (2, 13)  # DLPack's numbers of a GPU's memory, and of memory shared with it
LEGACY_STREAM: Final = 1  # what all kernels here run on, as both interfaces call it


class DeviceArray:
    """An array on a GPU, written in place by each step.

    Whoever speaks DLPack (``torch.from_dlpack``) or ``__cuda_array_interface__``
    (``cupy.asarray``, ``torch.as_tensor``) sees the same memory, without a copy. NumPy gets a copy,
    by ``numpy.asarray``. In numba-cuda's simulator the memory is the host's, and DLPack says so.

    Attributes:
        array: Numba's own array.
    """

    def __init__(self, array: Any) -> None:  # noqa: ANN401  (Numba's have no types)
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """How many numbers it has in each direction."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its numbers."""
        kind: np.dtype[Any] = np.dtype(self.array.dtype)
        return kind

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, part: Any) -> DeviceArray:  # noqa: ANN401  (as NumPy's)
        """Return a part that has at least one direction; no copy."""
        return DeviceArray(self.array[part])

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        """Return a copy for NumPy; raise a ValueError where it is to be none."""
        if copy is False:
            raise ValueError("an array on a GPU; NumPy can have a copy of it only")
        return np.asarray(self.array.copy_to_host(), dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where it lies, for whoever asks in that way; not in the simulator."""
        interface: dict[str, Any] = self.array.__cuda_array_interface__
        return interface

    def __dlpack__(self, **asked: Any) -> Any:  # noqa: ANN401
        """Return it as DLPack has it. What a step wrote is complete when the step returns."""
        return self._exported().__dlpack__(**asked)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return where it lies, as DLPack says it."""
        kind, number = self._exported().__dlpack_device__()
        return int(kind), int(number)

    def _exported(self) -> Any:  # noqa: ANN401
        if SIMULATED:
            return self.array
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_cuda_array_interface(self.array, stream_ptr=-1)


def lies_on_gpu(given: Any) -> bool:  # noqa: ANN401
    """Return whether somebody's array lies on a GPU."""
    if hasattr(given, "__cuda_array_interface__"):
        return True
    device = getattr(given, "__dlpack_device__", None)
    return device is not None and device()[0] in CUDA_DEVICES


def borrowed(given: Any) -> Any:  # noqa: ANN401
    """Return somebody's array on a GPU as one of Numba's; no copy.

    By DLPack whoever wrote it says when that is done; kernels here wait for it.
    """
    from cuda.core.utils import StridedMemoryView

    view = StridedMemoryView.from_any_interface(given, stream_ptr=LEGACY_STREAM)
    dtype = np.dtype(view.dtype)
    strides = view.strides and tuple(dtype.itemsize * stride for stride in view.strides)
    memory = {
        "version": 3,
        "shape": tuple(view.shape),
        "strides": strides,
        "typestr": dtype.str,
        "data": (view.ptr, view.readonly),
    }
    return cuda.from_cuda_array_interface(memory, owner=view)
