"""Becomes the engine, after asking Linux to end it when the process that started it dies.

Run as a script between the owner and the engine. `subprocess`'s `preexec_fn` would do the same in
one step, but may hang in a process that has threads.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(owner_pid: int, command: list[str]) -> None:
    """Replace this process by `command`."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    # The owner may have died before the request was in force; nobody would end the engine then.
    if os.getppid() == owner_pid:
        os.execv(command[0], command)  # noqa: S606 (a shell is not wanted here)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
