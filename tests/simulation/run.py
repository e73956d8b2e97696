"""Runs: seasons of a few thousand steps, each a world of its own, with a look at everything after every few hundred."""

import json
import logging
import os
import shutil
import traceback
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from signal import SIGKILL
from time import process_time
from typing import TextIO

import orjson
from django.conf import settings
from django.test import override_settings

from socialsite.storages import storages
from tests.simulation import clockwork, deeds
from tests.simulation.clockwork import clock
from tests.simulation.deeds.accounts import STAFF, newcomer
from tests.simulation.looking import look
from tests.simulation.world import Violation, World

BETWEEN_LOOKS = 400
A_SEASON = 4000  # steps, after which another world begins: this one has as many items as is quick to look at
FAULTS = 0.02  # of all calls in bad weather
BEGINNERS = 12


@dataclass
class Told:
    """What became of a season."""

    seed: str
    steps: int = 0
    looks: int = 0
    seconds: float = 0.0  # of the processor
    days: float = 0.0  # that passed in the world
    calls: int = 0
    hash: str = ""
    broken: str = ""
    history: list[tuple[int, str]] = field(default_factory=list)
    deeds: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)


@dataclass
class Season:
    """One world. `left_out` are steps in which nobody does anything and nothing goes wrong, to shorten a history."""

    seed: str
    steps: int = A_SEASON
    faults: bool = True
    watched: str = ""
    left_out: Collection[int] = ()
    played: int = 0

    def play(self) -> Told:
        """Plays on until the end or the first violation."""
        self.told = told = Told(self.seed)
        began = process_time()
        clockwork.begin(self.seed)
        try:
            self._play()
        except Violation as violation:
            told.broken = f"in step {self.played}: {violation}"
            if violation.__cause__:
                told.broken += "\n" + "".join(traceback.format_exception(violation.__cause__))
        told.seconds = process_time() - began
        told.steps, told.hash, told.days = (
            self.played,
            self.hash,
            (clock.now - clockwork.BEGIN) / 86_400,
        )
        world = self.world
        told.calls = world.engine.calls
        told.deeds, told.refused = dict(world.counts), dict(world.refusals)
        told.faults = {str(fate): count for fate, count in world.network.counted.items()}
        return told

    def _play(self) -> None:
        deeds.load()
        self.world = world = World(self.seed, said=self._note)
        world.network.watched = self.watched
        for role in STAFF.values():
            world.begin(newcomer(world, role))
        for _ in range(BEGINNERS):
            world.begin(newcomer(world))
        world.settle()
        while self.played < self.steps:
            self.played += 1
            self._step()
            if self.played % BETWEEN_LOOKS == 0 or self.played == self.steps:
                self.told.looks += 1
                world.settle()
                look(world)

    def _step(self) -> None:
        """Each step draws from a seed of its own, so that those that are left out change no other."""
        world, is_left_out = self.world, self.played in self.left_out
        world.draw_anew(f"{self.seed} {self.played}")
        if self.faults and self.played % 50 == 1:
            world.network.faults = world.weather.choice((0.0, FAULTS, FAULTS, 5 * FAULTS))
        if self.faults and world.weather.random() < 0.03 and not is_left_out:
            world.worsen()
        deed = deeds.draw(world)
        if deed and not is_left_out:
            self._note(f"{deed.name} by {deed.who}")
            world.begin(deed)
        world.scheduler.run_until(clock.now + world.chance.expovariate(8.0))

    def _note(self, what: str) -> None:
        self.told.history.append((self.played, what))

    @property
    def hash(self) -> str:
        """Of the table, and of the history of all calls."""
        table, items = blake2b(digest_size=16), self.world.engine.items
        for place in sorted(items):
            table.update(orjson.dumps(items[place], option=orjson.OPT_SORT_KEYS))
        table.update(self.world.network.history.digest())
        return table.hexdigest()


def seasons_of(seed: str, steps: int, *, faults: bool, watched: str) -> list[Season]:
    """Of a whole seed as many as these steps take; of a season's own, such as 7.3, that season."""
    if "." in seed:
        return [Season(seed, min(steps, A_SEASON), faults, watched)]
    return [
        Season(f"{seed}.{number}", min(A_SEASON, steps - begin), faults, watched)
        for number, begin in enumerate(range(0, steps, A_SEASON), 1)
    ]


def apart(season: Season) -> Told:
    """Plays a season in a process of its own, so that nothing of one is left in the next."""
    return next(beside_each_other([season], processes=1))


def beside_each_other(seasons: Iterable[Season], *, processes: int) -> Iterator[Told]:
    """Plays each season in a process of its own, some at a time. They are told in their order."""
    playing: deque[tuple[Season, int, TextIO]] = deque()
    try:
        for season in seasons:
            playing.append(_begin(season))
            if len(playing) == processes:
                yield _end(*playing.popleft())
        while playing:
            yield _end(*playing.popleft())
    finally:
        for _season, child, _told in playing:
            os.kill(child, SIGKILL)
            os.waitpid(child, 0)


def _begin(season: Season) -> tuple[Season, int, TextIO]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            logging.disable(logging.CRITICAL)
            _keep_files_apart(season)
            with os.fdopen(writing, "w") as told:
                json.dump(asdict(season.play()), told)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    return season, child, os.fdopen(reading)


def _keep_files_apart(season: Season) -> None:
    """Gives it a folder of its own: what another season has exported or archived is no part of its history."""
    folder = settings.DATA_DIR / season.seed
    made = storages(
        data_dir=folder,
        media_bucket="",
        archive_bucket="",
        export_bucket="",
        photo_bucket="",
        region=settings.DYNAMODB_REGION,
        debug=True,
    )
    override_settings(DATA_DIR=folder, MEDIA_ROOT=folder / "media", STORAGES=made).enable()


def _end(season: Season, child: int, told: TextIO) -> Told:
    with told:
        text = told.read()
    os.waitpid(child, 0)
    shutil.rmtree(settings.DATA_DIR / season.seed, ignore_errors=True)
    if not text:
        return Told(season.seed, broken="the season ended without a word")
    return Told(**json.loads(text))


def shorten(season: Season, told: Told, *, tries: int) -> set[int]:
    """Leaves out steps as long as the history still breaks in the same way: halves, quarters, and so on."""
    kind = told.broken.partition(":")[2][:40]
    steps = list(range(1, told.steps + 1))
    left_out: set[int] = set()
    size = len(steps) // 2
    while size and tries:
        kept = [step for step in steps if step not in left_out]
        for start in range(0, len(kept), size):
            if not tries:
                break
            tries -= 1
            more = left_out | set(kept[start : start + size])
            again = apart(Season(season.seed, told.steps, season.faults, left_out=more))
            if kind and kind in again.broken:
                left_out = more
        size //= 2
    return left_out


def added_up(all_told: list[Told], name: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for told in all_told:
        found.update(getattr(told, name))
    return dict(sorted(found.items()))
