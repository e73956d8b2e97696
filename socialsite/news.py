"""Telling open pages that something is new, so that they ask: a datagram to `manage.py run_live`, which knows who looks
(docs/adr/0040-news-come-from-a-process-of-their-own.md).

A datagram says what is new (`News`) and for whom, as a keyed hash, and nothing else. It is lost where nobody listens,
and whoever sends it never waits: pages ask now and then in any case. `tell_pages` is called once what it is about is in
the table. Of bells and ended sign-ins nobody need say it: `_hear` looks at what each transaction has written.

What a page shows beside what is its reader's own, such as a thread, it names by a token that `watch` makes for it. So
whoever may see it was decided when the page was drawn, and `run_live` decides nothing.
"""

import hashlib
import hmac
import socket
import tempfile
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner

from socialsite.keys.people import is_bell, is_sign_in_or_token
from socialsite.keys.posts import is_in_timeline
from socialsite.table import Change, Create, Delete, Erase, Put, Upsert, WriteAction, after_writes
from socialsite.table.connection import table_name

TOPIC, MAC = 6, 16  # bytes
ENTRY = 1 + TOPIC
# Linux keeps 10 datagrams of a UNIX socket, so each holds much; over a network it must fit into one packet.
LARGEST: dict[int, int] = {socket.AF_INET: 1_200, socket.AF_INET6: 1_200}
LARGEST_HERE = 32_000
MOST_WAITING = 5_000  # entries that nobody could take at once
PAUSE = 0.05  # seconds, until it is tried again
LONGEST_PATH = 100  # of a UNIX socket
WATCHED_FOR = 12 * 3600  # seconds that a page may be open
MOST_WATCHED = 300


class News(StrEnum):
    """What is new. Pages hear these words, but for the last three: one asks whether a sign-in still holds, the others
    are for apps, of a post that they may show and of what a person posted elsewhere."""

    BELL = "bell"
    HOME = "home"
    POSTS = "posts"  # of an author whose posts no timeline gets
    THREAD = "thread"
    CHAT = "chat"
    SIGN_IN = "sign-in"
    CHANGED = "changed"
    OWN = "own"


CODES = {one: number.to_bytes() for number, one in enumerate(News)}
BY_CODE = {code: one for one, code in CODES.items()}
# Whoever watches an author hears nothing of what is the author's own.
ABOUT = {
    News.POSTS: "author",
    News.THREAD: "thread",
    News.CHANGED: "post",
    News.OWN: "own",
}  # the others are about a person


def tell_pages(news: News, partitions: Iterable[str]) -> None:
    """Tells the open pages that watch these partitions. Never waits and never raises. It costs microseconds."""
    # A fan-out tells thousands at once, so what they share is looked up before.
    code, about, key = CODES[news], ABOUT.get(news, "person"), _key()
    if entries := [code + _hash(f"{about} {one}".encode(), TOPIC, key) for one in partitions]:
        _sender().send(entries)


def send_rest() -> None:
    """Sends what could not be taken before. The worker calls it now and then."""
    _sender().send([])


@after_writes
def _hear(actions: Sequence[WriteAction]) -> None:
    bells, sign_ins, own = set(), set(), set()
    for action in actions:
        match action:
            case Create() | Put():
                key = action.item.key
            case Change() | Upsert() | Delete() | Erase():
                key = action.key
            case _:
                continue
        if is_bell(key):
            bells.add(key.pk)
        elif isinstance(action, Delete | Erase) and is_sign_in_or_token(key):
            sign_ins.add(key.pk)
        elif isinstance(action, Create) and is_in_timeline(key):
            own.add(key.pk)
    if bells or sign_ins or own:
        tell_pages(News.BELL, bells)
        tell_pages(News.SIGN_IN, sign_ins)
        tell_pages(News.OWN, own)


def topic_of(news: News, partition: str) -> bytes:
    """Returns what stands for a person, an author or a thread. Whoever reads it learns nothing."""
    return _hash(f"{ABOUT.get(news, 'person')} {partition}".encode(), TOPIC, _key())


def _hash(content: bytes, size: int, key: bytes) -> bytes:
    return hashlib.blake2b(content, key=key, digest_size=size).digest()


def _key() -> bytes:
    return _key_of(settings.SECRET_KEY, table_name())


@cache
def _key_of(secret: str, table: str) -> bytes:
    return hashlib.sha256(f"news {table} {secret}".encode()).digest()


# ---- Datagrams

Place = tuple[int, str | tuple[str, int]]  # address family, address


def places() -> list[Place]:
    """Returns where datagrams go: the addresses of `LIVE_ADDRESS`, otherwise a socket in the data folder."""
    if settings.LIVE_ADDRESS:
        return [place_of(one) for one in settings.LIVE_ADDRESS]
    return [(socket.AF_UNIX, socket_path())] if hasattr(socket, "AF_UNIX") else []


def place_of(address: str) -> Place:
    """Returns the place of `host:port`. Raises `ValueError`."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    return (socket.AF_INET6 if ":" in host else socket.AF_INET), (host, int(port))


def socket_path() -> str:
    """Returns the path of the socket. The system takes no long ones, so a deep folder has it among temporary files."""
    path = str(Path(settings.DATA_DIR).resolve() / "live.sock")
    if len(path) <= LONGEST_PATH:
        return path
    name = hashlib.sha256(path.encode()).hexdigest()[:20]
    return str(Path(tempfile.gettempdir()) / f"socialsite-{name}.sock")


def pack(entries: Sequence[bytes]) -> bytes:
    body = b"".join(entries)
    return _hash(body, MAC, _key()) + body


def unpack(datagram: bytes) -> Iterator[tuple[News, bytes]]:
    """Yields what is new for which topics; nothing if someone else sent it."""
    mac, body = datagram[:MAC], datagram[MAC:]
    if len(body) % ENTRY or not hmac.compare_digest(mac, _hash(body, MAC, _key())):
        return
    for at in range(0, len(body), ENTRY):
        if news := BY_CODE.get(body[at : at + 1]):
            yield news, body[at + 1 : at + ENTRY]


class Sender:
    """Sends without waiting. What nobody can take now is sent with the next, or by `send_rest`, up to a bound."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[bytes, None] = {}
        self._tries_at = 0.0
        self._places = places()
        self._sockets: dict[int, socket.socket] = {}

    def send(self, entries: Iterable[bytes]) -> None:
        with self._lock:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.update(dict.fromkeys(entries))
            if not self._waiting or time.monotonic() < self._tries_at:
                return
            waiting = list(self._waiting)
            self._waiting.clear()
        kept: list[bytes] = []
        for family, address in self._places:
            step = LARGEST.get(family, LARGEST_HERE) // ENTRY
            for at in range(0, len(waiting), step):
                some = waiting[at : at + step]
                if not self._goes(family, address, pack(some)):
                    kept += waiting[at:]
                    break
        if kept:
            with self._lock:
                self._tries_at = time.monotonic() + PAUSE
                self._waiting.update(dict.fromkeys(kept[:MOST_WAITING]))

    def _goes(self, family: int, address: str | tuple[str, int], datagram: bytes) -> bool:
        try:
            self._socket_of(family).sendto(datagram, address)
        except BlockingIOError:
            return False
        except OSError:  # nobody listens, or there can be no socket, as without IPv6
            pass
        return True

    def _socket_of(self, family: int) -> socket.socket:
        with self._lock:
            if family not in self._sockets:
                self._sockets[family] = _socket(family)
            return self._sockets[family]


def _socket(family: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_DGRAM)
    made.setblocking(False)
    return made


def _sender() -> Sender:
    return _sender_to(tuple(settings.LIVE_ADDRESS), str(settings.DATA_DIR))


@cache
def _sender_to(_addresses: tuple[str, ...], _folder: str) -> Sender:
    return Sender()


# ---- What a page shows


def watch(user_id: str, news: News, partitions: Iterable[str]) -> str:
    """Returns the token with which a page of this person hears of these, empty if there are none. Of more than 300 it
    hears of the first, as an address takes no more; for the others a page asks every two minutes."""
    topics = [topic_of(news, one) for one in partitions][:MOST_WATCHED]
    if not topics or not user_id:
        return ""
    text = urlsafe_b64encode(b"".join(topics)).decode().rstrip("=")
    return _signer(user_id).sign(text)


def watched(user_id: str, token: str) -> frozenset[bytes]:
    """Returns the topics of a token that was made for this person, none of any other."""
    try:
        text = _signer(user_id).unsign(token, max_age=WATCHED_FOR)
        topics = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (BadSignature, ValueError):
        return frozenset()
    return frozenset(topics[at : at + TOPIC] for at in range(0, len(topics), TOPIC))


def _signer(user_id: str) -> TimestampSigner:
    return TimestampSigner(salt=f"news {user_id}")
