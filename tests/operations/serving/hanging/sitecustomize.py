"""Makes a process that starts with this folder in PYTHONPATH hang for ever when it gets SIGUSR1: `pause` keeps the
interpreter, so that no thread of it goes on."""

import ctypes
import signal
import sys


def _hang(*_: object) -> None:
    while True:
        ctypes.PyDLL(None).pause()


if "run_worker" in sys.argv:
    signal.signal(signal.SIGUSR1, _hang)
