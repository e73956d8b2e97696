"""`manage.py blocked_pictures import|export|find`: the list of blocked pictures as a file, and photos that were here
before a hash came on the list.

`find` looks at every photo, reports those that match in the name of the site, and shows none of them. Photos of earlier
versions have no perceptual hash: `--decode` makes it of their files. All of it works while the site runs, and can be
started again after a break.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from moderation.pictures.existing import find_matching
from moderation.pictures.writes import holder_of_list, open_case_of_find, put_on_list
from operations.management.command_errors import command_errors
from photos.models import Photo
from socialsite.blocked_pictures.lists import MOST_ROWS, BadList, read_list, write_list
from socialsite.blocked_pictures.reads import list_blocked
from socialsite.private_files import private_opener
from socialsite.streams.jobs import give_way
from socialsite.table.reading import scan_page
from socialsite.table.resilience import paced

AT_ONCE = 500  # hashes between two signs of progress


class Command(BaseCommand):
    help = "Imports or exports the list of blocked pictures, or finds photos that are on it."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="wish", required=True)
        takes = commands.add_parser("import", help="adds a list: CSV with sha256, md5 or pdq")
        takes.add_argument("file", type=Path)
        takes.add_argument("--dry-run", action="store_true", help="reads the file, writes nothing")
        gives = commands.add_parser("export", help="writes the whole list as CSV")
        gives.add_argument("file", type=Path)
        finds = commands.add_parser("find", help="reports photos that are on the list")
        finds.add_argument("--dry-run", action="store_true", help="counts them, reports none")
        finds.add_argument(
            "--decode", action="store_true", help="also reads the files of photos without a hash"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            match options["wish"]:
                case "import":
                    self._import(options["file"], is_dry=options["dry_run"])
                case "export":
                    self._export(options["file"])
                case _:
                    self._find(is_dry=options["dry_run"], decodes=options["decode"])

    def _import(self, file: Path, *, is_dry: bool) -> None:
        try:
            found = sorted(read_list(file.read_bytes(), most=MOST_ROWS))
        except (OSError, BadList) as error:
            raise CommandError(str(error)) from error
        if is_dry:
            self.stdout.write(f"{len(found):,} hashes in {file}. Nothing was written.")
            return
        holder = holder_of_list(found)
        with paced(give_way), _progress() as progress:
            task = progress.add_task("hashes added")
            for first in range(0, len(found), AT_ONCE):
                some = found[first : first + AT_ONCE]
                put_on_list(some, holder=holder)
                progress.advance(task, len(some))
        self.stdout.write(f"{len(found):,} hashes are on the list.")

    def _export(self, file: Path) -> None:
        number = 0
        try:
            with open(file, "x", opener=private_opener) as output:
                for line in write_list(list_blocked()):
                    output.write(line)
                    number += 1
        except OSError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{number - 1:,} hashes in {file}.")

    def _find(self, *, is_dry: bool, decodes: bool) -> None:
        looked = matching = reported = 0
        with paced(give_way), _progress() as progress:
            task = progress.add_task("photos looked at")
            last = None
            while True:
                items, last = scan_page(after=last)
                photos = [raw for raw in items if raw["type"]["S"] == Photo.__name__]
                for photo in find_matching(photos, decodes=decodes):
                    matching += 1
                    reported += not is_dry and open_case_of_find(photo)
                looked += len(photos)
                progress.advance(task, len(photos))
                if last is None:
                    break
        self.stdout.write(
            f"{looked:,} photos looked at, {matching:,} are on the list, {reported:,} reported to "
            "staff just now."
        )


def _progress() -> Progress:
    columns = SpinnerColumn(), TextColumn("{task.description}: {task.completed:,}")
    return Progress(*columns, console=Console(stderr=True))
