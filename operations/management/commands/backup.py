"""`manage.py backup`: the whole site in one file, made while it runs."""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import DownloadColumn, Progress

from operations.alarms.vitals import LAST_BACKUP
from operations.backup import bucket
from operations.backup.create import (
    BACKUPS,
    SUFFIX,
    BackupError,
    Manifest,
    backup_name,
    create_backup,
    remove_old_backups,
)
from operations.management.command_errors import command_errors
from socialsite.clock import utc_now
from socialsite.data_keys import data_keys
from socialsite.engine.choice import choose
from socialsite.private_files import make_private_folder
from socialsite.table.data_state import DATA_VERSION


class Command(BaseCommand):
    help = "Saves database, keys, uploads and archive in one file, while the site runs. Prints the file's path."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "target", nargs="?", help="the file, folder or s3://bucket/folder/ to write to"
        )
        parser.add_argument("--keep", type=int, help="delete all but the newest KEEP backups there")

    def handle(self, *args: Any, target: str | None, keep: int | None, **options: Any) -> None:
        if settings.DYNAMODB_ENGINE != "embedded":
            raise CommandError(
                "This saves the embedded engine only. On Amazon DynamoDB turn on point-in-time recovery."
            )
        if keep is not None and keep < 1:
            raise CommandError("--keep must be at least 1.")
        with command_errors():
            program = choose(settings.DATA_DIR)
        if not program.made(settings.DATA_DIR):
            raise CommandError(f"{settings.DATA_DIR} holds no site yet. Start the site once.")
        moment = utc_now()
        is_away = bool(target and target.startswith(bucket.SCHEME))
        file = _file(Path(target) if target and not is_away else None, moment)
        with command_errors(BackupError, OSError):
            manifest = self._create(file, moment)
            if target and is_away:
                self._tell(manifest, file)
                place = self._send(file, target)
                old = bucket.remove_old(target, keep=keep) if keep else []
            else:
                place = str(file)
                old = (
                    [one.name for one in remove_old_backups(file.parent, keep=keep)] if keep else []
                )
                self._tell(manifest, file)
            (settings.DATA_DIR / LAST_BACKUP).touch()
        for name in old:
            self.stderr.write(f"Deleted {name}.")
        self.stdout.write(place)

    def _send(self, file: Path, target: str) -> str:
        """Sends the file away, and deletes it here: on this disk it would be lost together with the data."""
        try:
            return bucket.upload(file, target, lambda _: None)
        finally:
            file.unlink(missing_ok=True)

    def _create(self, file: Path, moment: datetime) -> Manifest:
        manifest = Manifest(
            made_at=moment.isoformat(timespec="seconds"),
            table=settings.DYNAMODB_TABLE,
            data_version=DATA_VERSION,
            key_ids=[key.id for key in data_keys()],
        )
        with Progress(
            *Progress.get_default_columns(),
            DownloadColumn(),
            console=Console(stderr=True),
            transient=True,
        ) as progress:
            task = progress.add_task("saving", total=None)
            return create_backup(
                data_dir=settings.DATA_DIR.resolve(),
                target=file,
                manifest=manifest,
                on_bytes=lambda done, total: progress.update(task, completed=done, total=total),
            )

    def _tell(self, manifest: Manifest, file: Path) -> None:
        count, size = len(manifest.files), file.stat().st_size
        files = "file" if count == 1 else "files"
        self.stderr.write(f"Saved {count:,} {files} in {size:,} bytes.")
        if "data_key.txt" not in manifest.files:
            self.stderr.write(
                "The file does not hold DATA_KEY and SECRET_KEY. Keep them safe: a restore needs them."
            )
        if settings.MEDIA_BUCKET or settings.ARCHIVE_BUCKET:
            self.stderr.write("The file does not hold what is in S3 buckets.")


def _file(target: Path | None, moment: datetime) -> Path:
    """Returns the file to write: the target, or a name of the moment in the target folder.

    What does not exist is taken for a folder unless it has the name of an archive: on a disk that is not there, a file
    of that name would be in the folder's place for ever.
    """
    if target and not target.is_dir():
        if target.exists() or (target.name.endswith(SUFFIX) and target.parent.is_dir()):
            return target.resolve()
        folder = target.parent if target.name.endswith(SUFFIX) else target
        raise CommandError(
            f"The folder {folder} does not exist. Create it or mount its disk, then try again. "
            f"The name of a file must end with {SUFFIX}."
        )
    folder = target or settings.DATA_DIR / BACKUPS
    make_private_folder(folder)
    return folder.resolve() / backup_name(moment)
