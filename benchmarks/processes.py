"""What processes take, with all their children, as Linux counts it: memory, and time of the processors."""

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")  # a second


def family_of(*roots: int) -> set[int]:
    """Returns these processes and all their children."""
    parents = {
        int(one.name): _parent_of(one) for one in Path("/proc").iterdir() if one.name.isdigit()
    }
    family, size = set(roots), 0
    while len(family) > size:
        size = len(family)
        family |= {pid for pid, parent in parents.items() if parent in family}
    return family


def memory_of(family: Iterable[int]) -> float:
    """Returns their MiB: the share of each that is its own (PSS)."""
    return sum(_share(pid) for pid in family)


def seconds_of(family: Iterable[int]) -> float:
    """Returns for how long they have kept processors busy."""
    return sum(_ticks(pid) for pid in family) / TICKS


def _stat(folder: Path) -> list[str]:
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return []


def _parent_of(folder: Path) -> int:
    fields = _stat(folder)
    return int(fields[1]) if fields else 0


def _ticks(pid: int) -> int:
    fields = _stat(Path(f"/proc/{pid}"))
    return int(fields[11]) + int(fields[12]) if fields else 0


def _share(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
