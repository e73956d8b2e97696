"""Becomes another program, after asking Linux to end it when the process that started it dies.

Run as a script between the two: `exec_with_owner.py KILL <pid of the starter> <command …>`. `TERM`
lets a program end in order; the engine is killed, as it would sleep through anything else if it
were frozen, and loses nothing by it. `subprocess`'s `preexec_fn` would do the same in
one step, but may hang in a process that has threads.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent(parent_pid: int, number: int) -> bool:
    """Asks Linux to send this process a signal when its parent dies; False if it is dead already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    return os.getppid() == parent_pid


def main(signal_name: str, owner_pid: int, command: list[str]) -> None:
    """Replaces this process by `command`."""
    if end_with_parent(owner_pid, signal.Signals[f"SIG{signal_name}"]):
        os.execv(command[0], command)  # noqa: S606 (a shell is not wanted here)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
