"""`manage.py seed`: believable people, posts and likes, so that a new site has something to show."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from accounts.models import UserInfo
from feed.explore.writes import rank_liked_today
from moderation.figures.checks import PastFigures
from moderation.staff.waiting import count_everything_again
from operations.management.command_errors import command_errors
from operations.seed.beside_posts import demo_sign_ins, note_demo_sign_ins
from operations.seed.demo_data import DemoData, Sizes
from operations.seed.first_start import DemoPlan, begin_load, finish_first_start, unfinished_plan
from socialsite.clock import utc_now_iso
from socialsite.streams.worker import bulk_load
from socialsite.table import Item, write_batch
from socialsite.table.reading import scan
from socialsite.table.schema import create_table

SHOWN = ("alice", "bob", "mod")
CHUNK = 250
PATIENCE = 60  # seconds to wait for a process that loads demo data, or died while loading


class Command(BaseCommand):
    help = "Fills an empty table with demo data. The same --seed gives the same people, posts and likes."

    def add_arguments(self, parser: CommandParser) -> None:
        if not settings.DEBUG:
            raise CommandError(
                "Demo accounts share a known password, so demo data needs debug mode. Set DEBUG=1 to create it."
            )
        sizes = Sizes()
        parser.add_argument("--people", type=int, default=sizes.people)
        parser.add_argument("--posts", type=int, default=sizes.posts)
        parser.add_argument(
            "--follows", type=int, default=sizes.follows, help="a person, on average"
        )
        parser.add_argument(
            "--days", type=int, default=sizes.days, help="that the posts are spread over"
        )
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("people", "posts", "follows", "days", "seed")
        plan = DemoPlan(**{name: options[name] for name in names}, now=_now())
        if plan.people < len(SHOWN) + 1 or min(plan.posts, plan.follows, plan.days) < 1:
            raise CommandError("Use at least 4 people, 1 post, 1 follow and 1 day.")
        with command_errors():
            create_table()
            self._load(plan)
        for line in demo_sign_ins(settings.DATA_DIR):
            self.stdout.write(line)

    def _load(self, plan: DemoPlan) -> None:
        """Loads the plan, or the plan that an earlier run did not finish."""
        is_unfinished = unfinished_plan() is not None
        if not is_unfinished and has_people():
            raise CommandError(
                "This table already has people in it. Demo data needs an empty table."
            )
        patience = PATIENCE if is_unfinished else 0
        with bulk_load(patience=patience, when_done=finish_first_start) as keep:
            unfinished = unfinished_plan()
            if is_unfinished and unfinished is None:  # another process finished it meanwhile
                return
            if unfinished:
                self.stdout.write("An earlier start was interrupted. Finishing its demo data.")
            plan = unfinished or plan
            begin_load(plan)
            sizes = Sizes(plan.people, plan.posts, plan.follows, plan.days)
            self._write(DemoData(sizes, plan.seed, plan.moment), keep)
            count_everything_again()  # what waits: no handler sees the cases of a load
            rank_liked_today()
            note_demo_sign_ins(settings.DATA_DIR, SHOWN)

    def _write(self, data: DemoData, keep: Any) -> None:
        columns = (
            TextColumn("Demo data"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        past = PastFigures()  # of the year: no handler sees these items
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("items", total=data.count())
            for chunk in _in_chunks(data.items(), CHUNK):
                progress.advance(task, write_batch(puts=chunk))
                past.add_items(chunk)
                keep()
            progress.update(task, total=progress.tasks[0].completed)
        for _ in past.mend():
            keep()


def has_people() -> bool:
    """Whether anyone has an account. Reads the whole table of an empty site, so it is only for operators."""
    return any(raw.get("type", {}).get("S") == UserInfo.__name__ for raw in scan())


def _now() -> str:
    return utc_now_iso()


def _in_chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
