"""`manage.py workbench export|import`: the table as a model of NoSQL Workbench, and such models as tables."""

import json
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from operations.management.command_errors import command_errors
from operations.management.commands.seed import has_people
from operations.workbench.exporting import ALL, TwoTypes, export_model
from operations.workbench.importing import (
    Loaded,
    NotAModel,
    check_model,
    find_broken,
    load_items,
    read_file,
)
from operations.workbench.published import CannotMap
from socialsite.table.reading import scan
from socialsite.table.schema import create_table

SAMPLE = 20
SHOWN = 5


class Command(BaseCommand):
    help = "Writes the table as a model for NoSQL Workbench, or fills an empty table from such a model."

    def add_arguments(self, parser: CommandParser) -> None:
        ways = parser.add_subparsers(dest="way", required=True)
        export = ways.add_parser("export", help="write the model to standard output, or to a file")
        export.add_argument("file", nargs="?", help="where to write it")
        export.add_argument(
            "--sample", type=int, default=SAMPLE, help=f"items of each type ({SAMPLE})"
        )
        load = ways.add_parser("import", help="read a model (.json) or sample data (.csv)")
        load.add_argument("file")

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors(NotAModel, CannotMap, TwoTypes, OSError):
            if options["way"] == "export":
                self._export(options["file"], max(0, options["sample"]))
            else:
                self._import(Path(options["file"]))

    def _export(self, file: str | None, sample: int) -> None:
        items = scan() if sample else ()
        model = export_model(
            items, name=settings.DYNAMODB_TABLE, sample=sample, tell=self.stderr.write
        )
        check_model(model)
        text = json.dumps(model, indent=2, ensure_ascii=False)
        if file is None:
            self.stdout.write(text)
            return
        target = Path(file)
        if target.exists():
            raise CommandError(f"{target} already exists. Choose another name.")
        target.write_text(f"{text}\n")
        self.stdout.write(f"Wrote {target}. Open it in NoSQL Workbench with “Import data model”.")

    def _import(self, file: Path) -> None:
        loaded = read_file(file)
        create_table()
        if has_people():
            raise CommandError(
                "This table already has people in it. An import needs an empty table."
            )
        self._warn(loaded)
        columns = TextColumn("Importing"), BarColumn(), MofNCompleteColumn()
        with Progress(*columns, console=Console(file=sys.stderr)) as progress:
            task = progress.add_task("items", total=len(loaded.items))
            load_items(loaded.items, on_written=lambda count: progress.advance(task, count))
        self._tell(loaded)

    def _warn(self, loaded: Loaded) -> None:
        """Says before the first write what `audit` will say after the last."""
        if broken := find_broken(loaded.items):
            self.stderr.write(
                f"{sum(broken.values()):,} times the site will not hold together, as `manage.py audit` will say too:"
            )
            for rule, count in broken.items():
                self.stderr.write(f"{count:>6,}  {rule}")
            self.stderr.write(
                f"A sample lacks items: an export with --sample {ALL} has them. Files of photos are in no model: copy "
                "media and photos of DATA_DIR."
            )

    def _tell(self, loaded: Loaded) -> None:
        for sentence in loaded.told:
            self.stdout.write(sentence)
        self.stdout.write(f"Imported {len(loaded.items)} items.")
        if loaded.handles:
            shown = ", ".join(f"/@{handle}" for handle in loaded.handles[:SHOWN])
            self.stdout.write(f"Pages to look at: {shown}")
