"""Which machines does a process of the tests contact? None but this one: the engine, moto, Chromium, the site itself.

Python tells an audit hook of each connection and each look-up of a name, whichever library asks for it. A contact with
another machine is refused and noted, so that a test fails even if the code under test takes it for a broken network.
Native programs (the embedded engine, nginx, Chromium) are looked at from outside: `open_sockets` here, and
`tests/browser/watch.py`.
"""

import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

# The events of https://docs.python.org/3/library/audit_events.html that name another machine.
ASKS_FOR_A_NAME = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
SENDS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
# Mail names the machine that sends it, so Python looks its own name up.
OWN_NAMES = {"", "localhost", socket.gethostname()}
DIGITS_OF_A_WORD = 8

Tell = Callable[[str], None]


class Refused(OSError):
    """The process was about to contact another machine."""


elsewhere: list[str] = []


def refuse_elsewhere(tell: Tell) -> None:
    """From now on tells each machine that this process contacts, and refuses all but this one. It cannot be undone."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in ASKS_FOR_A_NAME and event not in SENDS:
            return
        for host in _hosts(event, arguments):
            tell(host)
            if not is_here(host):
                raise Refused(f"{event} to {host}: tests contact no other machine")

    sys.addaudithook(hook)


def note_elsewhere(host: str) -> None:
    if not is_here(host):
        elsewhere.append(host)


def take_elsewhere() -> list[str]:
    """Returns the other machines that were contacted since it was last called."""
    taken = elsewhere.copy()
    elsewhere.clear()
    return taken


def is_here(host: str) -> bool:
    if host in OWN_NAMES:
        return True
    with suppress(ValueError):
        address = ip_address(host.partition("%")[0])
        return address.is_loopback or address.is_unspecified
    return False


def _hosts(event: str, arguments: tuple[Any, ...]) -> Iterator[str]:
    if event in ASKS_FOR_A_NAME:
        host = arguments[0]
        yield host.decode() if isinstance(host, bytes) else str(host or "")
        return
    sender, address = arguments[:2]
    if sender.family in (socket.AF_INET, socket.AF_INET6) and address:
        yield str(address[0])


def open_sockets(pids: Iterable[int]) -> set[str]:
    """Returns the machines to which these processes have TCP or UDP sockets open now, native ones too. Linux only."""
    inodes = set()
    for pid in pids:
        for descriptor in Path(f"/proc/{pid}/fd").glob("*"):
            with suppress(OSError):
                inodes.add(os.readlink(descriptor).removeprefix("socket:[").removesuffix("]"))
    found = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, _, remote, *_, inode = line.split()[:10]
            if inode in inodes:
                found.add(_host_of(remote.partition(":")[0]))
    return found


def _host_of(digits: str) -> str:
    """Turns the kernel's hexadecimal digits into an address: words of 32 bits in the machine's byte order."""
    starts = range(0, len(digits), DIGITS_OF_A_WORD)
    words = [digits[start : start + DIGITS_OF_A_WORD] for start in starts]
    raw = b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in words)
    return str(ip_address(raw))
