"""The processes of the simulated machines: each goes on when its time comes, one at a time, in an order of the seed.

A task is what a thread is elsewhere: a greenlet that gives way at each call of the engine and at each wait. A process
has tasks and a memory of its own: what the site keeps in modules is put away and back as processes take turns.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from importlib import import_module
from typing import Any

from greenlet import getcurrent, greenlet

from tests.simulation import clockwork
from tests.simulation.clockwork import clock


class Killed(BaseException):
    """The process of this task was killed here. What catches exceptions does not see it."""


@dataclass(eq=False)
class Process:
    name: str
    host: str = "one"
    pid: int = 0
    skew: float = 0.0
    memory: list[Any] = field(default_factory=list)
    frozen_until: float = 0.0
    tasks: set["Task"] = field(default_factory=set)
    lives: int = 0
    timeout: float = 1.8  # seconds that a call may take

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(eq=False)
class Task:
    name: str
    number: int
    process: Process
    does: Callable[[], Any]
    let: Any = None  # the greenlet
    is_over: bool = False
    is_killed: bool = False
    late_until: float = 0.0  # when the last of its calls that are late arrives
    result: Any = None
    error: BaseException | None = None
    then: Callable[["Task"], None] | None = None

    def __hash__(self) -> int:
        return self.number


@dataclass
class Memory:
    """The places where the site keeps what belongs to one process."""

    places: list[tuple[Any, str]] = field(default_factory=list)
    fresh: list[Callable[[], Any]] = field(default_factory=list)

    def add(self, where: Any, *names: str) -> None:
        """What these names hold now is what each new process begins with a copy of."""
        for name in names:
            self.places.append((where, name))
            self.fresh.append(partial(copy.deepcopy, copy.deepcopy(getattr(where, name))))

    def add_shared(self, place: str) -> None:
        """New processes begin with the very thing that this place holds now."""
        module, _, name = place.rpartition(":")
        where = import_module(module)
        self.places.append((where, name))
        self.fresh.append(partial(lambda value: value, getattr(where, name)))

    def new(self) -> list[Any]:
        return [make() for make in self.fresh]

    def read(self) -> list[Any]:
        return [getattr(where, name) for where, name in self.places]

    def put(self, values: list[Any]) -> None:
        for (where, name), value in zip(self.places, values, strict=True):
            setattr(where, name, value)


class Scheduler:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.main = getcurrent()
        self.waiting: list[tuple[float, int, Any]] = []
        self.count = 0
        self.task: Task | None = None
        self.outside = Process("outside")
        self.loaded = self.outside
        clockwork.wait = self.wait
        clockwork.running = lambda: self.loaded.name
        clockwork.who = lambda: self.task

    # What tasks ask

    def wait(self, seconds: float) -> None:
        """Lets the task go on after so many seconds. Outside of tasks the world goes on for so long."""
        if self.task is None:
            self.run_until(clock.now + max(seconds, 0.0))
            return
        self.at(clock.now + max(seconds, 0.0), self.task)
        self.give_way()

    def give_way(self) -> None:
        """Until something wakes this task."""
        task = self.task
        assert task is not None
        self.main.switch()
        if task.is_killed:
            raise Killed

    def at(self, moment: float, what: Any) -> None:
        """Wakes a task, or calls a function, at a moment."""
        self.count += 1
        heappush(self.waiting, (moment, self.count, what))

    # The world from outside

    def begin(
        self,
        process: Process,
        name: str,
        does: Callable[[], Any],
        then: Callable[[Task], None] | None = None,
    ) -> Task:
        self.count += 1
        task = Task(name, self.count, process, does, then=then)
        task.let = greenlet(lambda: self._run(task), parent=self.main)
        process.tasks.add(task)
        self.at(clock.now, task)
        return task

    def _run(self, task: Task) -> None:
        try:
            task.result = task.does()
        except Killed:
            task.is_killed = True
        except BaseException as error:
            task.error = error
        task.is_over = True

    def run_until(self, moment: float) -> None:
        """Lets everything happen that happens until then."""
        assert self.task is None, "only from outside"
        waiting = self.waiting
        while waiting and waiting[0][0] <= moment:
            when, _, what = heappop(waiting)
            clock.now = max(clock.now, when)
            if isinstance(what, Task):
                self._wake(what)
            else:
                what()
        clock.now = max(clock.now, moment)
        self.load(self.outside)

    def _wake(self, task: Task) -> None:
        if task.is_over:
            return
        if task.process.frozen_until > clock.now and not task.is_killed:
            self.at(task.process.frozen_until, task)
            return
        self._switch(task)

    def _switch(self, task: Task) -> None:
        self.load(task.process)
        self.task = task
        try:
            task.let.switch()
        finally:
            self.task = None
        if task.is_over:
            task.process.tasks.discard(task)
            if task.then:
                task.then(task)

    def load(self, process: Process) -> None:
        """Puts the memory of a process in its place."""
        if process is not self.loaded:
            self.loaded.memory = self.memory.read()
            self.memory.put(process.memory or self.memory.new())
            self.loaded = process
        clock.skew = process.skew

    def kill(self, process: Process) -> list[Task]:
        """Ends all tasks of a process where they stand, and its memory with them. Not from one of its own tasks."""
        killed = sorted(process.tasks, key=lambda one: one.number)
        for task in killed:
            task.is_killed = True
            if task.let.dead or not task.let:  # it has not begun
                task.is_over = True
                process.tasks.discard(task)
                if task.then:
                    task.then(task)
            else:
                self._switch(task)
        process.memory = self.memory.new()
        if self.loaded is process:
            self.memory.put(process.memory)
            self.load(self.outside)
        for lock in _locks():
            lock.forget(process.name)
        process.lives += 1
        process.frozen_until = 0.0
        return killed


def _locks() -> list[clockwork.Lock]:
    global _all_locks
    if _all_locks is None:
        import gc

        _all_locks = [one for one in gc.get_objects() if type(one) in LOCKS]
    return _all_locks


LOCKS = (clockwork.Lock, clockwork.Slots)
_all_locks: list[clockwork.Lock] | None = None


def memory_of_the_site() -> Memory:
    """What the site keeps of its table in each process; `test_simulation.py` finds what is not listed here."""
    from socialsite import process_state
    from socialsite.discovery import discover
    from socialsite.streams.dispatch import load_handlers

    load_handlers()
    for name in ("checks", "vitals", "notices", "delivery", "erasure"):
        discover(name)
    memory = Memory()
    for drop in process_state._drops:
        if isinstance(copy_of := getattr(drop, "__self__", None), process_state.KeptCopy):
            memory.add(copy_of, "copy", "_drops")
    for place in KEPT:
        module, _, name = place.rpartition(":")
        memory.add(import_module(module), name)
    return memory


# Module and name of what `kept_by_process` drops, and what else belongs to a process.
KEPT = (
    "accounts.encryption.person_keys:_open",
    "accounts.mail.events_queue:_looked_at",
    "accounts.mail.regular:_allowance",
    "accounts.mail.server:_away_until",
    "accounts.mail.server:_fails",
    "accounts.permissions:_for_menus",
    "api.access:_calls",
    "api.access:_good",
    "finding.writes:_uses",
    "moderation.staff.nav:_kept",
    "operations.alarms.looking:_look_at",
    "privacy.importing.stream:_busy",
    "relations.muted_words.reads:_kept",
    "socialsite.due.clock:woken",
    "socialsite.streams.traces:_kept",
    "socialsite.table.ids:_generator",
    "socialsite.table.refusals:_noticed",
    "socialsite.table.refusals:_look_at",
)
# Of connections there are two, one of pages and one of workers, as making one takes long.
CONNECTED = (
    "socialsite.table.connection:_connected",
    "socialsite.table.connection:_serves_pages",
    "socialsite.table.transport.client:_standing",
)
