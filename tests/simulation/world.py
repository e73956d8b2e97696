"""The simulated site as a whole: its processes, its weather, what people do, and when all is quiet again."""

import random
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from socialsite.due.clock import run_clock
from socialsite.streams import late_writes, leases
from socialsite.streams.shards import Stream
from socialsite.streams.worker import Worker
from socialsite.table import Conflict, TableError, Unavailable, connection, ids, keys
from socialsite.table.item import Item
from socialsite.table.schema import create_table
from socialsite.table.transport import client as transport
from tests.simulation import clockwork, letters
from tests.simulation.clockwork import clock
from tests.simulation.engine import Engine
from tests.simulation.model import Model
from tests.simulation.network import SIGNED_WITHIN, Network, Session, StreamClient, Wire
from tests.simulation.processes import (
    CONNECTED,
    Process,
    Scheduler,
    Task,
    memory_of_the_site,
)

MACHINES = (("one", 2), ("two", 1))
QUIET = {
    "Lease",
    "StreamHost",
    "CostSum",
    "SpentSample",
    "RateLimit",
}  # records that nobody waits for


MOST_CONFLICTS = 60  # tries after which someone who is told that all has moved leaves it
SKEWS = (0.0, 0.0, 2.0, -2.0, 290.0, -290.0, 3600.0, 2 * 86_400.0, -2 * 86_400.0)


class Violation(AssertionError):
    """The site is not what the model says, or breaks a rule of its own."""


@dataclass(eq=False)
class Deed:
    """Something that a person does. `touches` are the facts that it is about: two deeds at once about the same fact
    leave open which was first. `act` is tried until it is known whether it was done; `done` tells the model."""

    name: str
    who: str
    act: Callable[[], Any]
    done: Callable[[Any], None] = lambda _: None
    touches: tuple[Hashable, ...] = ()
    unsure: Callable[[], None] | None = None
    refused: Callable[[BaseException], None] | None = None
    clashes: bool = False
    tries: int = 0
    late_until: float = 0.0  # when the last of its calls that are late has come to the engine


@dataclass
class World:
    seed: str
    faults: bool = True
    model: Model = field(default_factory=Model)
    said: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.seed} of people")
        self.weather = random.Random(f"{self.seed} of faults")
        self.engine = Engine(lambda: clock.now)
        self.scheduler = Scheduler(memory_of_the_site())
        self.network = Network(self.engine, self.scheduler, random.Random(f"{self.seed} of calls"))
        self.network.kills = self.kill
        self.counts: Counter[str] = Counter()
        self.read: dict[tuple[str, str], Any] = {}  # items as models, by place, for the looks
        self.refusals: Counter[str] = Counter()
        self.touching: dict[Hashable, set[Deed]] = {}
        self.under_way: set[Deed] = set()
        self.workers: dict[str, Worker] = {}
        self.stops: dict[str, clockwork.Event] = {}
        self._connect()
        create_table()
        self.webs = [Process(f"web {n}", timeout=0.9) for n in (1, 2)]
        self.worker_processes = [
            Process(f"worker {host} {n}", host=host)
            for host, count in MACHINES
            for n in range(1, count + 1)
        ]
        self.pids = 1000
        self.skewed_at = 0.0
        for process in self.webs:
            process.memory = self._memory(serves_pages=True)
        for process in self.worker_processes:
            self.start_worker(process)

    # Processes

    def _connect(self) -> None:
        """Two connections are made, of pages and of workers, and each process has one of them."""
        Stream._client = property(lambda _: StreamClient(self.network))  # type: ignore[assignment]
        leases.owner_is_dead = late_writes.owner_is_dead = self._is_dead
        self._connections: dict[bool, list[Any]] = {}
        for serves_pages in (True, False):
            connection._serves_pages = serves_pages
            connection._connected, Item._connection = None, None
            made = self._connection()
            self._connections[serves_pages] = [made, serves_pages, transport._standing]
        for place in CONNECTED:
            self.scheduler.memory.add_shared(place)

    def _connection(self) -> Any:
        made = connection._connect()
        made.connection.client._endpoint.http_session = Session(self.network)
        own = transport._standing
        assert own is not None
        own.wire = Wire(self.network)  # type: ignore[assignment]
        own._signer.sign = lambda headers, *_: None  # type: ignore[method-assign]
        connection._connected = made
        return made

    def _memory(self, *, serves_pages: bool) -> list[Any]:
        memory = self.scheduler.memory.new()
        return memory[: -len(CONNECTED)] + self._connections[serves_pages]

    def start_worker(self, process: Process) -> None:
        """Starts a worker unless the process has one: it may have been killed again while it was to start."""
        if process.pid:
            return
        self.pids += 1
        process.pid = self.pids
        process.memory = self._memory(serves_pages=False)
        self.stops[process.name] = stop = clockwork.Event()
        self.scheduler.begin(process, "worker", lambda: self._work(process, stop))
        self.scheduler.begin(process, "clock", lambda: run_clock(stop))  # type: ignore[arg-type]

    def _work(self, process: Process, stop: clockwork.Event) -> None:
        worker = Worker(worker_id=f"{process.host}:{process.pid}:{ids.new_id()}")
        self.workers[process.name] = worker
        worker.run(stop)  # type: ignore[arg-type]

    def _is_dead(self, worker_id: str) -> bool:
        host, pid, _ = worker_id.rsplit(":", 2)
        asking = self.scheduler.loaded
        if host != asking.host:
            return False
        return not any(one.host == host and one.pid == int(pid) for one in self.worker_processes)

    def kill(self, process: Process) -> None:
        """As `kill -9`: what people wanted of a process of pages they ask again, and a worker starts anew."""
        self.counts["processes killed"] += 1
        self.scheduler.kill(process)
        self.workers.pop(process.name, None)
        if process in self.webs:
            process.memory = self._memory(serves_pages=True)
            return
        process.pid = 0  # a new one comes soon, with another id
        rest = self.weather.choice((0.0, 0.5, 5.0, 30.0))
        self.scheduler.at(clock.now + rest, lambda: self.start_worker(process))

    def draw_anew(self, seed: str) -> None:
        """What is drawn from now on depends on this seed alone, not on what was drawn before."""
        self.chance.seed(f"{seed} of people")
        self.weather.seed(f"{seed} of faults")
        self.network.chance.seed(f"{seed} of calls")

    # What people do

    def begin(self, deed: Deed) -> None:
        self.under_way.add(deed)
        if person := self.model.people.get(deed.who):
            person.busy = True
        for fact in deed.touches:
            others = self.touching.setdefault(fact, set())
            if others:
                deed.clashes = True
                for other in others:
                    other.clashes = True
            others.add(deed)
        self._try(deed)

    def _try(self, deed: Deed) -> None:
        deed.tries += 1
        process = self.webs[self.chance.randrange(len(self.webs))]
        self.scheduler.begin(process, deed.name, deed.act, then=lambda task: self._over(deed, task))

    def _over(self, deed: Deed, task: Task) -> None:
        error = task.error
        deed.late_until = max(deed.late_until, task.late_until)
        moved = isinstance(error, Conflict | Again) and deed.tries < MOST_CONFLICTS
        if task.is_killed or moved or isinstance(error, Unavailable):
            self.counts["deeds tried again"] += 1
            if deed.tries > 400:
                raise Violation(f"{deed.name} is never done: {error!r}")
            pause = min(0.3 * deed.tries, 20.0) * (0.5 + self.chance.random())
            self.scheduler.at(clock.now + pause, lambda: self._try(deed))
            return
        self._end(deed)
        if self.network.watched and self.network.watched in f"{deed.who} {deed.touches}":
            print(
                f"{clock.now:.4f} {deed.name} {deed.touches} ended: {error!r} {task.result!r}"[:200]
            )
        if error is None:
            self.counts[deed.name] += 1
            deed.done(task.result)
        elif isinstance(error, TableError | Refused | Again):
            self.refusals[f"{deed.name}: {type(error).__name__}"] += 1
            if deed.refused:
                deed.refused(error)
        else:
            raise Violation(f"{deed.name} failed") from error
        if deed.clashes and deed.unsure:
            deed.unsure()

    def _end(self, deed: Deed) -> None:
        self.under_way.discard(deed)
        if person := self.model.people.get(deed.who):
            person.busy = False
        if deed.late_until > clock.now:
            self.scheduler.at(deed.late_until, lambda: self._let_go_of_facts(deed))
        else:
            self._let_go_of_facts(deed)

    def _let_go_of_facts(self, deed: Deed) -> None:
        """What others do while a call of this deed is still on its way, they do at once with it."""
        for fact in deed.touches:
            self.touching[fact].discard(deed)
            if not self.touching[fact]:
                del self.touching[fact]

    def tell(self, what: str) -> None:
        if self.said:
            self.said(what)

    # Weather

    def worsen(self) -> None:
        """One thing goes wrong, as it is drawn."""
        (what,) = self.weather.choices(list(TROUBLES), [w for w, _ in TROUBLES.values()])
        self.counts[what] += 1
        self.tell(what)
        TROUBLES[what][1](self)

    def freeze(self) -> None:
        process = self.weather.choice(self.worker_processes)
        process.frozen_until = clock.now + self.weather.choice((3.0, 11.0, 25.0, 90.0))

    def skew(self) -> None:
        process = self.weather.choice([*self.worker_processes, *self.webs])
        process.skew = self.weather.choice(SKEWS)
        self.skewed_at = clock.now

    def fill_disk(self) -> None:
        self.network.full_until = clock.now + self.weather.choice((2.0, 8.0, 20.0))

    def go_away(self) -> None:
        self.network.away_until = clock.now + self.weather.choice((0.5, 3.0, 12.0))

    def split(self) -> None:
        shard = self.weather.choice(self.engine.shards.open)
        self.engine.shards.split(shard, clock.now)

    def hold_records_back(self) -> None:
        shard = self.weather.choice(self.engine.shards.open)
        shard.held_back_from = self.engine.shards.last
        shard.held_back_until = clock.now + self.weather.choice((2.0, 15.0, 60.0))

    def kill_one(self) -> None:
        self.kill(self.weather.choice([*self.worker_processes, *self.webs]))

    def stop_one(self) -> None:
        """A worker is told to stop, as in an upgrade, and starts anew."""
        process = self.weather.choice(self.worker_processes)
        self.stops[process.name].set()
        self.scheduler.at(clock.now + 4.0, lambda: self._start_again(process))

    def _start_again(self, process: Process) -> None:
        if self.stops[process.name].is_set():
            self.scheduler.kill(process)
            process.pid = 0
            self.start_worker(process)

    def lose_letters(self) -> None:
        letters.is_away = not letters.is_away

    def let_go(self) -> None:
        self.engine.let_go(self.weather.choice((3, 1_000_000)))

    def leap(self) -> None:
        """Time passes in which nobody does anything."""
        hour = 3600.0
        length = self.weather.choice((60.0, 600.0, hour, 5 * hour, 12 * hour))
        self.pass_by(length)

    def pass_by(self, length: float) -> None:
        while length > 0:
            part = min(length, 6 * 3600.0)
            clock.pass_by(part)
            self.scheduler.run_until(clock.now + 2.0)
            length -= part
        self.engine.shards.trim(clock.now)
        self.engine.let_go()

    # Quiet

    def calm(self) -> None:
        self.network.faults = 0.0
        self.network.away_until = self.network.full_until = 0.0
        letters.is_away = False
        for shard in self.engine.shards.by_id.values():
            shard.held_back_until = 0.0
        if clock.now - self.skewed_at < 2 * SIGNED_WITHIN:  # what was done early is no longer early
            self.pass_by(SIGNED_WITHIN)
        for process in (*self.webs, *self.worker_processes):
            process.skew = 0.0
            process.frozen_until = min(process.frozen_until, clock.now)

    def settle(self) -> None:
        """Until nobody waits for anything, the workers have read all, and no job is left."""
        self.calm()
        for _ in range(600):
            self.scheduler.run_until(clock.now + 2.0)
            if self.under_way:
                continue
            if self._is_quiet():
                return
        raise Violation(f"no quiet: {self._why_not()}")

    def _is_quiet(self) -> bool:
        return not self._why_not()

    def _why_not(self) -> str:
        if self.under_way:
            return f"under way: {[deed.name for deed in self.under_way]}"
        if self.network.late_until > clock.now:
            return "calls are still on their way"
        for worker in self.workers.values():
            if worker.doubts:
                return f"doubts of {worker.worker_id}"
        if work := self.work_left():
            return work
        for partition, sort_keys in self.engine.partitions.items():
            if partition.startswith("due#"):
                for sk in sort_keys:
                    if int(self.engine.items[partition, sk].get("tries", {"N": "0"})["N"]):
                        self.pass_by(1800.0)
                        return f"{sk} waits for its next try"
        return ""

    def work_left(self) -> str:
        """What the workers have not read or done yet."""
        for shard in self.engine.shards.by_id.values():
            last = next((n for n, _, r in reversed(shard.records) if _is_news(r)), 0)
            if last and self._read_up_to(shard.shard_id) < last:
                return f"{shard.shard_id} is not read up to {last}"
        jobs = [one for one in self.engine.partitions if one.startswith("job#")]
        return f"jobs: {jobs[:3]}" if jobs else ""

    def _read_up_to(self, shard_id: str) -> int:
        """The last record whose effects are all there: what is committed, or was read by the owner without effects."""
        lease = self.engine.items.get(_lease_place(shard_id))
        if lease is None:
            return 0
        places = [int(lease.get("checkpoint", {}).get("S") or 0)]
        for worker in self.workers.values():
            reader = worker.readers.get(shard_id)
            is_owner = reader and reader.lease.epoch == int(lease["epoch"]["N"])
            if reader and is_owner and reader.applying_since is None:
                places.append(int(reader.position or 0))
        return max(places)


class Again(Exception):
    """A page said: try again in a moment."""


class Refused(Exception):
    """A page said no."""


def _is_news(record: dict[str, Any]) -> bool:
    image = record["dynamodb"].get("NewImage") or record["dynamodb"]["OldImage"]
    return image["type"]["S"] not in QUIET


def _lease_place(shard_id: str) -> tuple[str, str]:
    key = keys.lease(shard_id)
    return key.pk, key.sk


# How often each is drawn, and what it is.
TROUBLES: dict[str, tuple[int, Callable[[World], None]]] = {
    "worker frozen": (6, World.freeze),
    "clock moved": (4, World.skew),
    "disk full": (1, World.fill_disk),
    "engine away": (2, World.go_away),
    "shard split": (2, World.split),
    "records held back": (3, World.hold_records_back),
    "process killed": (6, World.kill_one),
    "worker stopped": (3, World.stop_one),
    "mail server": (2, World.lose_letters),
    "items let go": (4, World.let_go),
    "time passed": (3, World.leap),
}
