"""The order of a move, and what is refused before anything is written.

1. The table there is marked: no process starts on it until all is there.
2. Items and files are copied while people use the site, in passes, until one finds little.
3. The site is only read. Its stream is drained, as records that no worker has read exist nowhere else. The last
   differences follow, and passes go on until one against what was read there anew finds none.
4. The worker there begins behind the copy, this table is marked as left, and that one as a site.

Killed at any point, the same command goes on. Until the fourth step nothing here has changed but a mark; in it, both
marks refuse each start, and the same command sets the last one.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from django.conf import settings

from accounts.models import UserInfo
from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import end_read_only, plan_read_only
from operations.moving.checkpoints import Checkpoints, who_works
from operations.moving.files import FileSizes, copy_files, foreign_files, measure_files
from operations.moving.items import (
    Pass,
    Read,
    Size,
    copy_differing,
    delete_there,
    find_differing,
    key_at,
    kind_of,
    measure,
    read_there,
)
from operations.moving.place import MoveError, Place, here, keep_secrets
from socialsite import keys
from socialsite.clock import utc_now_iso
from socialsite.due.models import StreamHost
from socialsite.site_settings.models import SiteMaintenance
from socialsite.site_settings.read_only import stands_still
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules
from socialsite.streams.hosts import Host
from socialsite.streams.worker import hold_stream
from socialsite.table import (
    Change,
    NotFound,
    RawItem,
    change,
    get,
    ids,
    item_models,
    row,
    transact,
)
from socialsite.table.data_state import ARRIVING, LEFT
from socialsite.table.models import DataState

FEW = 200  # differences after which another pass would find as many
MOST_PASSES = 6
WORKER_PATIENCE = 60.0  # seconds, for the last batch of a worker
FOR_EVER = "9999-01-01T00:00:00+00:00"


class Shown(Protocol):
    """What is shown meanwhile."""

    def say(self, text: str) -> None: ...

    def step(self, title: str) -> Callable[[int], None]:
        """Begins a bar, and returns what moves it on."""
        ...


@dataclass
class Plan:
    """What a move would do. `refusal` says why it would not."""

    there: Place
    size: Size = field(default_factory=Size)
    files: FileSizes = field(default_factory=FileSizes)
    seconds: float = 0.0  # that reading this table took
    has_table: bool = False
    refusal: str = ""


def make_plan(there: Place, shown: Shown) -> Plan:
    """Reads both places, and writes nothing."""
    plan = Plan(there, has_table=there.has_table())
    try:
        may_move(there)
    except MoveError as error:
        plan.refusal = str(error)
    began = time.monotonic()
    plan.size = measure(on_items=shown.step("reading this table"))
    plan.seconds = time.monotonic() - began
    plan.files = measure_files(there)
    return plan


def may_move(there: Place) -> None:
    """Raises `MoveError` unless the site can go there."""
    own = here()
    if own.name == there.name:
        raise MoveError(f"{there.name} is where the site is.")
    try:
        host = get(StreamHost, keys.stream_host(), consistent=True).host
    except NotFound:
        host = Host.WORKER
    if host == Host.LAMBDA:
        raise MoveError(
            "The worker of this site is a function under Lambda, which a move cannot hold. Run `manage.py hand_over "
            "worker` first; there `manage.py hand_over lambda` gives it back."
        )
    used = set(row(DataState, own.state).key_ids)
    if missing := sorted(used - there.key_ids()):
        raise MoveError(
            f"Something here is encrypted with {' and '.join(missing)}, which the settings there do not name: set "
            "DATA_KEY_FALLBACKS, KMS_KEY_ID or KMS_KEY_FALLBACKS there."
        )
    if not there.has_table():
        _refuse_files(there)
        return
    state = row(DataState, there.state)
    site_id = row(DataState, own.state).site_id
    if state.standing and state.site_id == site_id:
        return  # on its way there, or left from there
    if state.standing:
        raise MoveError(
            f"Another site is on its way to {there.name}, or has left it. Take another table."
        )
    _refuse_people(there)
    _refuse_files(there)
    if worker := who_works(there):
        raise MoveError(
            f"{worker.capitalize()} is at work at {there.name}, or was a minute ago. Stop all of its processes, "
            "at Amazon with `make undeploy`."
        )


def _refuse_people(there: Place) -> None:
    known = item_models().keys()
    for page in there.scan():
        for raw in page:
            kind = kind_of(raw)
            if kind == UserInfo.__name__:
                raise MoveError(
                    f"{there.name} has people: it is a site of its own. Take another table."
                )
            if kind not in known:
                raise MoveError(f"{there.name} has other data than a site’s. Take another table.")


def _refuse_files(there: Place) -> None:
    if found := foreign_files(there):
        raise MoveError(
            f"There are files at {there.name} that this site does not have ({found[0]}). Take an empty folder or "
            "bucket."
        )


@dataclass
class Moved:
    """How long the site was only read until processes could start there, and what is there, by type."""

    closed_seconds: float
    kinds: Counter[str]


@dataclass
class Move:
    """One run. `known` is what the other table has, as far as this run has read and written it."""

    there: Place
    shown: Shown
    own: Place = field(default_factory=here)
    read: Read = field(default_factory=Read)

    def __post_init__(self) -> None:
        self.checkpoints = Checkpoints(self.there)
        self.since = ""  # when the site began to be only read

    def has_left(self) -> bool:
        """Whether a run before this one came so far that the site is there, or only has to be let go there, which is
        done then."""
        if not self.there.has_table():
            return False
        own, other = row(DataState, self.own.state), row(DataState, self.there.state)
        if own.standing != LEFT or other.standing == LEFT or own.site_id != other.site_id:
            return False
        if other.standing == ARRIVING:
            self.arrive()
        return True

    def refresh(self) -> None:
        """Copies what differs, while people use the site, until little does."""
        self._prepare()
        self.read = read_there(self.there, on_items=self.shown.step("reading what is there"))
        for number in range(1, MOST_PASSES + 1):
            done = self._copy(f"pass {number}")
            self.checkpoints.follow()
            if done.changes < FEW:
                return

    def _prepare(self) -> None:
        """Makes the table if there is none, and marks it. Safe to repeat."""
        there = self.there
        if not row(DataState, self.own.state).site_id:  # by which it is known at each place
            change(DataState, keys.data_state(), [DataState.site_id.set(ids.new_id())])
        keep_secrets(there)
        if not there.has_table():
            self.shown.say(f"Making {there.name}.")
            made = there.manage("create_table")
            if made.returncode:
                raise MoveError(f"{there.name} could not be made: {made.stderr.strip()}")
        there.put(_state(self.own, ARRIVING))

    def _copy(self, title: str) -> Pass:
        done = copy_differing(
            self.there, self.read.known, on_items=self.shown.step(f"{title}: items")
        )
        files = copy_files(self.there, on_files=self.shown.step(f"{title}: files"))
        self.shown.say(
            f"{title.capitalize()}: {done.size.items:,} items and {files.count:,} files. {done.written.items:,} items "
            f"written for {done.written.write_units:,} write units, {done.deleted:,} deleted; {files.changes:,} files "
            "changed."
        )
        return done

    def finish(self, *, message: str) -> Moved:
        """Takes the site there. Afterwards it is only read here for ever, and there until `manage.py read_only off`.
        Raises `MoveError` and whatever else kept it; then people can write here again."""
        began = time.monotonic()
        with self._closed(message):
            last = self._last_passes()
            self.checkpoints.follow()
            self.checkpoints.write()
            for raw in last.jobs:  # before the eyes of the worker, which goes on with them
                self.there.put(raw)
            for raw in self.own.get([keys.site_maintenance()]).values():
                self.there.put(raw)
            self._leave()
        self.arrive()
        return Moved(time.monotonic() - began, self.read.kinds)

    @contextmanager
    def _closed(self, message: str) -> Iterator[None]:
        """Lets the site only be read inside the block, and further on if that ends well."""
        forget_site_rules()
        is_ours = not stands_still()
        # Also where that is so already: its end could come too early.
        plan_read_only(by=OPERATOR, message=message or _message_now())
        self.since = get(SiteMaintenance, keys.site_maintenance(), consistent=True).begins
        self.shown.say("The site is only read now.")
        try:
            time.sleep(
                settings.SITE_RULES_SECONDS + settings.PAGE_SECONDS
            )  # until each process knows
            yield
        except BaseException:
            if is_ours:
                end_read_only(by=OPERATOR)
                self.shown.say("People can write here again.")
            raise

    def _last_passes(self) -> Pass:
        """Copies until a pass, against what was read there anew, finds nothing that differs, and returns it.

        A page that began before the site was only read, and was held up, may still write. So each pass begins with
        draining the stream: what it wrote, and what follows from that, is a difference then, and another pass comes.
        """
        self._drain()
        self._copy("last pass")
        for _ in range(MOST_PASSES):
            self.read = read_there(self.there, on_items=self.shown.step("comparing: there"))
            delete_there(self.there, self.read.jobs)  # put again, each is news to the worker there
            self._drain()
            done = self._copy("comparing")
            if not done.lasting:
                return done
        raise MoveError(
            "Something still writes here, so the copy never equals it. Stop every process of the site."
        )

    def _drain(self) -> None:
        with hold_stream(patience=WORKER_PATIENCE) as worker:
            worker.drain()

    def late_writes(self) -> list[str]:
        """Returns the keys of items that were written here after the copy had ended. None is to be expected, and none
        of them is at the other place."""
        found = find_differing(self.read.known, on_items=self.shown.step("looking for late writes"))
        return [" ".join(key_at(place)) for place in found]

    def _leave(self) -> None:
        """Marks this table as left. Processes that still run here go on reading alone, however long. Nothing is marked
        if someone has let people write meanwhile."""
        for_ever = [SiteMaintenance.ends.set(FOR_EVER), SiteMaintenance.open_ended.set(True)]
        is_still = (SiteMaintenance.begins == self.since) & (SiteMaintenance.ends > utc_now_iso())
        left = [DataState.standing.set(LEFT), DataState.left_for.set(self.there.name)]
        try:
            transact(
                Change(SiteMaintenance, keys.site_maintenance(), for_ever, is_still),
                Change(DataState, keys.data_state(), left),
            )
        except NotFound as error:
            raise MoveError("Someone has let people write again meanwhile.") from error
        forget_site_rules()

    def arrive(self) -> None:
        """Lets processes start there."""
        self.there.put(_state(self.own))


def _message_now() -> str:
    plan = read_site_rules().maintenance
    return plan.message if plan and plan.is_on else ""


def _state(own: Place, standing: str = "") -> RawItem:
    """Returns the `DataState` of this site as another place has it."""
    marks = "standing", "left_for"
    raw = {name: value for name, value in own.state.items() if name not in marks}
    return raw | ({"standing": {"S": standing}} if standing else {})


def stay() -> None:
    """Takes the mark of this table off. What was written at the other place since is not here. Raises `MoveError`."""
    own = here()
    if row(DataState, own.state).standing != LEFT:
        raise MoveError(f"The site has not left {own.name}.")
    own.put(_state(own))
    forget_site_rules()
    end_read_only(by=OPERATOR)
