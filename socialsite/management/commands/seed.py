"""`manage.py seed`: believable people, posts and likes, so that a new site has something to show."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from accounts.models import UserInfo
from socialsite.demo_sign_ins import demo_sign_ins, note_demo_sign_ins
from socialsite.engine.errors import EngineError
from socialsite.seeding import DemoData, Sizes, in_chunks
from socialsite.streams.bulk_load import bulk_load
from socialsite.table.errors import TableError
from socialsite.table.reading import scan
from socialsite.table.schema import create_table
from socialsite.table.writing import write_batch

SHOWN = ("alice", "bob", "mod")
CHUNK = 250


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
        sizes = Sizes(options["people"], options["posts"], options["follows"], options["days"])
        if sizes.people < len(SHOWN) + 1 or min(sizes.posts, sizes.follows, sizes.days) < 1:
            raise CommandError("Take at least 4 people, 1 post, 1 follow and 1 day.")
        try:
            create_table()
            self._refuse_if_inhabited()
            with bulk_load() as keep:
                self._write(DemoData(sizes, options["seed"]), keep)
        except (EngineError, TableError) as error:
            raise CommandError(str(error) or type(error).__name__) from error
        note_demo_sign_ins(settings.DATA_DIR, SHOWN)
        for line in demo_sign_ins(settings.DATA_DIR):
            self.stdout.write(line)

    def _refuse_if_inhabited(self) -> None:
        if any(raw["type"]["S"] == UserInfo.__name__ for raw in scan()):
            raise CommandError(
                "There are people in this table already: demo data goes into an empty one only."
            )

    def _write(self, data: DemoData, keep: Any) -> None:
        columns = (
            TextColumn("Demo data"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("items", total=data.count())
            for chunk in in_chunks(data.items(), CHUNK):
                progress.advance(task, write_batch(puts=chunk))
                keep()
            progress.update(task, total=progress.tasks[0].completed)
