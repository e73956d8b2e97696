"""The pusher: takes up the work that is due, and sends what waits for each person to their devices.

One process sends, and others stand by: who may is written in the table for half a minute (`PushHost`). A work item is
deleted when all that it stands for was sent, so a process that is killed leaves it to the next one, and the same push
may come once more. Each push service has threads of its own, and a host that does not answer is left alone for a while:
none holds up another's pushes.
"""

import json
import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from notifications.models import PushWork
from notifications.push.apps import words_for_app
from notifications.push.asking import LATEST, NO_ANSWER, Answer, Connections, Outcome
from notifications.push.encryption import encrypt_for
from notifications.push.reads import Addressee, Device, list_push_work, read_addressee
from notifications.push.site_key import SiteKey
from notifications.push.words import what_waits
from notifications.push.writes import TEST, forget_device, remove_device
from socialsite.clock import utc_now
from socialsite.due.models import PushHost
from socialsite.site_settings.read_only import stands_still
from socialsite.table import (
    Key,
    Moved,
    TableError,
    Upsert,
    access_pattern,
    change,
    keys,
    spent_by,
    transact,
    write_batch,
)
from socialsite.table.meter import CLOCK

LOOK_EVERY = 2.0  # seconds
MAY_SEND = timedelta(seconds=30)
ASKED_EVERY = 10.0  # whether it may
AT_ONCE = 200  # items of a shard that are read at once
MOST_UNDER_WAY = 600
READERS = 8  # threads that read the table
OF_A_SERVICE = 8  # requests to one push service at once
MOST_IN_LINE = 200  # for one push service; further ones wait in the table
FAILURES = 3  # without an answer, after which a host is left alone
MOST_SILENT = 1_000  # hosts of a service
LEFT_ALONE = 30.0  # seconds
TOO_LATE = timedelta(days=1)
TRIES = 5
FINISHED_WITHIN = 8.0  # seconds
BACK_OFF = (60, 300, 900, 1_800)  # seconds until the next try
KEPT_BY_SERVICE = 4 * 3_600  # seconds that a device may be off

log = logging.getLogger(__name__)

Request = tuple[Device, bytes, dict[str, str]]


@dataclass(slots=True)
class Lane:
    """The requests to one push service. It may have many hosts, of which a stranger may make some up: each is left
    alone for itself. `silent` holds those that did not answer last, how often, and until when they are left alone."""

    pool: ThreadPoolExecutor
    in_line: int = 0
    silent: dict[str, tuple[int, float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def leaves_alone(self, host: str) -> bool:
        return time.monotonic() < self.silent.get(host, (0, 0.0))[1]

    def enter(self) -> bool:
        """Takes a place in the line, if there is one."""
        with self.lock:
            has_room = self.in_line < MOST_IN_LINE
            self.in_line += has_room
            return has_room

    def leave(self, host: str, answer: Answer | None) -> None:
        """Gives the place back. `answer` is None if the host was not asked."""
        with self.lock:
            self.in_line -= 1
            if answer is None:
                return
            failures, _ = self.silent.pop(host, (0, 0.0))
            if answer.status:
                return
            if len(self.silent) >= MOST_SILENT:
                self.silent.pop(next(iter(self.silent)))
            until = time.monotonic() + LEFT_ALONE if failures + 1 >= FAILURES else 0.0
            self.silent[host] = failures + 1, until


@dataclass(slots=True)
class Piece:
    """Work that was taken up, with the number of devices that are still to answer. `failed` says that something could
    not be noted: the work stays, and comes up again."""

    work: PushWork
    left: int
    failed: bool = False


@dataclass(slots=True)
class Pusher:
    """Sends what is due. `look` may be called again while requests are under way."""

    key: SiteKey
    owner: str = field(default_factory=lambda: secrets.token_hex(8))
    connections: Connections = field(default_factory=Connections)
    answers: Counter[str] = field(default_factory=Counter)
    lanes: dict[str, Lane] = field(default_factory=dict)
    _reached_at: float = float("-inf")  # when any host last answered
    _latest: float = (
        0.0  # seconds that the oldest work was late which was found since the last time it asked
    )
    _under_way: set[Key] = field(default_factory=set)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _readers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(READERS, thread_name_prefix="push reader")
    )

    def run(self, stop: threading.Event, *, beat: Callable[[], None] = lambda: None) -> None:
        """Sends until told to stop, as long as it may, and calls `beat` each time round. Survives faults of the engine.
        Waits while the site is only read."""
        asked_at, may = float("-inf"), False
        while not stop.is_set():
            beat()
            try:
                if stands_still():
                    may, asked_at = False, float("-inf")
                elif time.monotonic() - asked_at > ASKED_EVERY:
                    may = may_send(self.owner, self.key.public, lag=self._take_latest())
                    asked_at = time.monotonic()
                if may:
                    self.look()
            except TableError as error:
                may, asked_at = False, float("-inf")
                log.warning("pushes wait for the engine: %s", error)
            except Exception:
                log.exception("the pusher starts over")
            stop.wait(LOOK_EVERY)
        self.finish(FINISHED_WITHIN)
        if may:
            with suppress(TableError):
                give_up_sending(self.owner)

    @spent_by(CLOCK, "notifications:look_for_pushes")
    def look(self, now: datetime | None = None) -> int:
        """Takes up what is due and not under way yet. Returns how many items. A Query for each of 4 shards, 0.5 read
        units while nothing is due."""
        moment, taken = now or utc_now(), 0
        for shard in range(keys.PUSH_SHARDS):
            with self._changed:
                before = set(self._under_way)
            due = list_push_work(shard, moment, most=AT_ONCE + len(before))
            if due:
                oldest = datetime.fromisoformat(due[0].moment)
                self._latest = max(self._latest, (moment - oldest).total_seconds())
            room = MOST_UNDER_WAY - len(before)
            for work in [one for one in due if one.key not in before][: max(0, room)]:
                with self._changed:
                    self._under_way.add(work.key)
                self._readers.submit(self._take_up, work)
                taken += 1
        return taken

    def _take_latest(self) -> float:
        late, self._latest = self._latest, 0.0
        return late

    def finish(self, seconds: float | None = None) -> None:
        """Waits for what is under way, not longer than that: what is left comes up again."""
        with self._changed:
            self._changed.wait_for(lambda: not self._under_way, seconds)

    def _take_up(self, work: PushWork) -> None:
        try:
            with spent_by(CLOCK, "notifications:push"):
                requests = self._requests(work)
        except TableError as error:
            log.warning("a push waits for the engine: %s", error)
            self._end(Piece(work, 0, failed=not _put_off(work)))
            return
        except Exception:
            log.exception("a push is left out")
            requests = []
        piece = Piece(work, len(requests))
        if not requests:
            self._end(piece)
        for device, body, headers in requests:
            self._queue(piece, device, body, headers)

    def _requests(self, work: PushWork) -> list[Request]:
        """Returns what is to be asked of which device: nothing if nothing waits any more, or nobody may hear of it."""
        now = utc_now()
        if datetime.fromisoformat(work.news_since) < now - TOO_LATE:  # each try renews `moment`
            return []
        to = read_addressee(work.user_id, key_id=self.key.key_id, device=work.device or "")
        if to is None:
            return []
        for ended in to.ended:
            remove_device(user_id=work.user_id, device=ended)
        for expired in to.expired:
            forget_device(user_id=work.user_id, device=expired)
        quiet = to.choices.quiet_around(now)
        if not to.devices:
            return []
        if quiet and work.about != TEST:
            _plan_again(work, moment=quiet[1], device=work.device or "", tries=int(work.tries))
            return []
        return list(_requests_to(to, work, self.key))

    def _queue(self, piece: Piece, device: Device, body: bytes, headers: dict[str, str]) -> None:
        """Has a thread of its service ask, unless that is left alone, or has too much to do."""
        with self._changed:
            lane = self.lanes.get(device.service.name) or Lane(
                ThreadPoolExecutor(OF_A_SERVICE, thread_name_prefix="push")
            )
            self.lanes[device.service.name] = lane
        if lane.leaves_alone(device.service.host) or not lane.enter():
            self._settle(piece, device, NO_ANSWER, was_tried=False)
        else:
            lane.pool.submit(self._ask, lane, piece, device, body, headers)

    def _ask(
        self, lane: Lane, piece: Piece, device: Device, body: bytes, headers: dict[str, str]
    ) -> None:
        answer, host = None, device.service.host
        try:
            if not lane.leaves_alone(host):
                answer = NO_ANSWER
                answer = self.connections.post(device.service, body, headers)
        except Exception:
            log.exception("a push service could not be asked")
        finally:
            lane.leave(host, answer)
        if answer and answer.status:
            self._reached_at = time.monotonic()
        self._settle(piece, device, answer or NO_ANSWER, was_tried=answer is not None)

    def _settle(
        self, piece: Piece, device: Device, answer: Answer, *, was_tried: bool = True
    ) -> None:
        """Does what the answer asks for, and ends the work with its last device."""
        try:
            with spent_by(CLOCK, "notifications:push"):
                self._do_as_answered(piece.work, device, answer, was_tried=was_tried)
        except TableError as error:
            log.warning("a push may come twice, as the engine takes no note: %s", error)
            piece.failed = True
        with self._changed:
            self.answers[answer.outcome] += 1
            piece.left -= 1
            is_last = not piece.left
        if is_last:
            self._end(piece)

    def _do_as_answered(
        self, work: PushWork, device: Device, answer: Answer, *, was_tried: bool
    ) -> None:
        if answer.outcome == Outcome.GONE:
            remove_device(user_id=work.user_id, device=device.device)
        elif answer.outcome == Outcome.REFUSED:
            log.warning("%s refuses a push with %d", device.service.name, answer.status)
        elif answer.outcome in (Outcome.LATER, Outcome.NOWHERE):
            tries = int(work.tries) + was_tried
            if tries >= TRIES:
                if answer.outcome == Outcome.NOWHERE and self._reaches_others:
                    remove_device(user_id=work.user_id, device=device.device)
                log.warning("%s takes a push in none of %d tries", device.service.name, tries)
                return
            after = answer.after or BACK_OFF[max(tries - 1, 0)]
            moment = utc_now() + timedelta(seconds=after)
            _plan_again(work, moment=moment, device=device.device, tries=tries)

    @property
    def _reaches_others(self) -> bool:
        """Whether some host answered within the hour of all tries: then it is no resolver of ours that fails."""
        return time.monotonic() - self._reached_at < LATEST

    def _end(self, piece: Piece) -> None:
        try:
            if not piece.failed:
                with spent_by(CLOCK, "notifications:push"):
                    write_batch(deletes=[piece.work.key])
        except TableError as error:
            log.warning("a push may come twice, as the engine takes no note: %s", error)
        finally:
            with self._changed:
                self._under_way.discard(piece.work.key)
                self._changed.notify_all()


def _requests_to(to: Addressee, work: PushWork, key: SiteKey) -> Iterator[Request]:
    """Yields one request for each browser, with the same line for all, and one for each app that wants to hear."""
    browsers = [one for one in to.devices if one.app is None]
    if browsers and (said := what_waits(to, work)):
        for device in browsers:
            words = said.in_language(to.language or device.language)
            yield _request(device, words, said.topic, key)
    for device in to.devices:
        if device.app and work.about != TEST and (told := words_for_app(to, device, work)):
            yield _request(device, told, told["notification_type"], key)


def _request(
    device: Device, told: Mapping[str, str | int] | Mapping[str, str], topic: str, key: SiteKey
) -> Request:
    words = json.dumps(told, ensure_ascii=False)
    headers = {
        "Authorization": key.header(device.service),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_BY_SERVICE),
        "Topic": device.keys.name_for(topic),
        "Urgency": "high",  # for all: headers are read by the push service
    }
    return device, encrypt_for(device.keys, words.encode()), headers


def _put_off(work: PushWork) -> bool:
    """Has work come up again later, up to five times, whose reads the engine refuses. Returns False where it takes no
    note of that either: then the work stays as it is."""
    tries = int(work.tries) + 1
    if tries >= TRIES:
        log.warning("the engine answers for a push in none of %d tries", tries)
        return True
    moment = utc_now() + timedelta(seconds=BACK_OFF[tries - 1])
    try:
        with spent_by(CLOCK, "notifications:push"):
            _plan_again(work, moment=moment, device=work.device or "", tries=tries)
    except TableError:
        return False
    return True


def _plan_again(work: PushWork, *, moment: datetime, device: str, tries: int) -> None:
    again = PushWork.new(
        user_id=work.user_id,
        moment=moment,
        since=datetime.fromisoformat(work.news_since),
        about=work.about,
        device=device,
        tries=tries,
    )
    write_batch(puts=[again])


@access_pattern
def may_send(owner: str, public: str, *, lag: float = 0) -> bool:
    """Returns whether this process may send for the next half minute: nobody else does, or the one that did has not
    written for so long. `lag` is how many seconds late its oldest push was. One TransactWriteItems, 2 write units,
    every 10 seconds."""
    now = utc_now()
    until = (now + MAY_SEND).isoformat()
    mine = PushHost.pk.does_not_exist() | (PushHost.owner == owner)
    actions = [PushHost.owner.set(owner), PushHost.until.set(until), PushHost.public.set(public)]
    actions.append(PushHost.lag.set(round(lag)))
    free = mine | (PushHost.until < now.isoformat())
    try:
        transact(Upsert(PushHost, keys.push_host(), actions, condition=free, otherwise=Moved))
    except Moved:
        return False
    return True


@access_pattern
def give_up_sending(owner: str) -> None:
    """Lets another process send at once. One UpdateItem, 1 write unit."""
    mine = PushHost.owner == owner
    ended = [PushHost.until.set(utc_now().isoformat())]
    with suppress(Moved):
        change(PushHost, keys.push_host(), ended, condition=mine, otherwise=Moved)
