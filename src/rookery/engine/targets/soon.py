"""The target ``soon``: the native library at once, and Numba's code as soon as it is compiled.

Another process compiles it and leaves it in the cache on disk. So this one plays meanwhile at its
full speed, and may end whenever it has played enough. What comes out is the same either way.
To compile takes a core about ten seconds, so nobody begins for what is over in a moment.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from numba import typeof

from rookery.engine.targets import MissingTarget, load, native, numba

if TYPE_CHECKING:
    from rookery.engine.targets.specialise import Constants
    from rookery.rules.table import RuleTable

_FIRST: Final = 3.0  # seconds that the library plays before another process compiles
_COMPILER: Final = "from rookery.engine.targets import soon; soon.compile_asked()"


class Meanwhile:
    """A kernel that plays from the library until Numba has compiled it for what it is given.

    It takes what Numba's code takes: numbers, and records and arrays of NumPy. Any thread may
    call it.
    """

    def __init__(
        self, function: Callable[..., Any], table: RuleTable | None, constants: Constants
    ) -> None:
        self._made_from = (function, table, constants)
        self._play = load("native", function)
        self._compiling: subprocess.Popen[bytes] | None = None
        self._played = 0.0  # seconds; of many threads, about
        self._begun = self._settled = False
        self._asker = 0  # the process that has begun to compile
        self._changing = threading.Lock()

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401
        """Call it."""
        if self._settled:
            return self._play(*given)
        with self._changing:
            self._look(given)
        before = time.perf_counter()
        result = self._play(*given)
        self._played += time.perf_counter() - before
        return result

    def _look(self, given: tuple[Any, ...]) -> None:
        """Begin to compile, or take what has been compiled."""
        if self._played < _FIRST:
            pass
        elif not self._begun:
            self._begun, self._asker = True, os.getpid()
            asked = pickle.dumps((*self._made_from, tuple(map(typeof, given))))
            command = [sys.executable, "-c", _COMPILER]
            try:
                self._compiling = subprocess.Popen(command, stdin=subprocess.PIPE)  # noqa: S603  (ours)
                weakref.finalize(self, _end, self._compiling)  # at the end of this process too
                if self._compiling.stdin is not None:
                    with self._compiling.stdin as asking:
                        asking.write(asked)
            except OSError:  # no process can be had, or it is gone already; see below
                self._settled = self._compiling is None
        elif self._asker != os.getpid():
            pass  # who was forked off cannot ask what comes of another's child: the library goes on
        elif self._compiling is not None and self._compiling.poll() is not None:
            # If it failed there is no code, and the library goes on.
            if self._compiling.returncode == 0:
                self._play = load("numba", *self._made_from)
            self._compiling, self._settled = None, True


def _end(compiling: subprocess.Popen[bytes]) -> None:
    """Let another process go that compiles for nobody."""
    compiling.kill()
    compiling.wait()


def compile_asked() -> None:
    """Compile the kernel that is asked for on standard input into the cache."""
    *made_from, types = pickle.load(sys.stdin.buffer)  # noqa: S301  (written by `Meanwhile`)
    code: Any = load("numba", *made_from)
    code.compile(types)


def build(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> Callable[..., Any]:
    """Return a kernel that plays at once: Numba's where it is compiled or cannot be kept."""
    try:
        native.check(function)
    except MissingTarget:
        return load("numba", function, table, constants)
    if not numba.has_to_compile(function, table, constants):
        return load("numba", function, table, constants)
    return Meanwhile(function, table, constants)
