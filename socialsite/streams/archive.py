"""The archive of what TTL removed: gzip JSON lines, by date, shard and sequence.

    archive/date=2026-11-21/shardId-…/00000000000000012345-00000000000000012377.jsonl.gz

A file's name holds its first and last removal, so files of the same name always have the same content. A batch that is
read again after a crash overwrites its file or makes a longer one beside it, and late writes of a frozen worker lose
nothing. Days later files are joined (`joining.py`), and large ones may become cold. Athena can read the layout as
partitions (`docs/archive.md`). The storage decides where the files go: `DATA_DIR`, or the S3 bucket of
`ARCHIVE_BUCKET`.
"""

import base64
import gzip
import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from socialsite.streams.change import expired_image, type_of
from socialsite.streams.leaving import NOT_ARCHIVED, OF_POSTS
from socialsite.streams.models import RETIRED_ITEMS
from socialsite.table import RawItem, TableError, translated
from socialsite.table.errors import error_code

FOLDER = "archive"
STORAGE = "archive"
DAY = "date="  # what the folder of a day begins with
WHOLE = "whole"  # the folder of joined files, beside those of the shards
ENDING = ".jsonl.gz"
DRAFT = ".draft"
DRAFT_SECONDS = 3600  # longer than writing a file takes
COLD = (
    "InvalidObjectState"  # S3's word for a file that is in a cold class, or for one that is in none
)
SEQUENCE_DIGITS = 40  # Amazon's have up to 40; padded, names sort in order


class ColdFile(TableError):
    """A file is in a cold class of S3 and has to be restored before it can be read."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is in a cold class. Ask for it with `manage.py archive thaw`.")


def archive_records(records: Iterable[dict[str, Any]], *, shard_id: str) -> int:
    """Writes the expired items among a batch's records to one file for each day. Returns how many.

    Repeating it overwrites the same files. It runs before the batch's commit, so that nothing is lost. Raises
    `Unavailable` while the bucket cannot be written.
    """
    by_day: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        image = expired_image(record)
        if image is None or not _is_kept(type_of(record)):
            continue
        day = _day_of(record)
        by_day.setdefault(day, []).append(_line(record, shard_id, image, day))
    for day, lines in by_day.items():
        first, last = lines[0]["sequence"], lines[-1]["sequence"]
        _write(f"{FOLDER}/{DAY}{day}/{shard_id}/{first}-{last}{ENDING}", lines)
    return sum(len(lines) for lines in by_day.values())


def _is_kept(item_type: str) -> bool:
    if item_type in OF_POSTS:
        return bool(settings.ARCHIVE_EXPIRED_POSTS)
    return item_type not in NOT_ARCHIVED | RETIRED_ITEMS


def list_files(*, day: str = "") -> Iterator[str]:
    """Returns the names of the archive's files, oldest day first, or of those that hold removals of one day
    (`2026-11-21`). Raises `Unavailable` while the bucket cannot be read."""
    storage = _storage()
    for folder in sorted(_folders(storage, FOLDER)):
        if not folder.startswith(DAY) or (day and not _may_hold(folder, day)):
            continue
        for shard in sorted(_folders(storage, f"{FOLDER}/{folder}")):
            if day and shard != WHOLE and folder != f"{DAY}{day}":
                continue
            _, files = _names(storage, f"{FOLDER}/{folder}/{shard}")
            for file in sorted(files):
                if file.endswith(ENDING) and (not day or shard != WHOLE or _spans(file, day)):
                    yield f"{FOLDER}/{folder}/{shard}/{file}"


def _may_hold(folder: str, day: str) -> bool:
    """Whether a folder is of the day, or an earlier one of its month, in which a joined file can reach to it."""
    first = folder.removeprefix(DAY)
    return first <= day and first[:7] == day[:7]


def _spans(file: str, day: str) -> bool:
    """Whether a joined file, `<first day>_<last day>_<hash>`, holds removals of the day."""
    first, last, _ = file.split("_")
    return first <= day <= last


def day_of_file(name: str) -> str:
    """Returns the day of a file, of a joined one the first."""
    return name.split("/")[1].removeprefix(DAY)


def read_lines(names: Iterable[str], *, day: str = "") -> Iterator[dict[str, Any]]:
    """Yields the lines of files, or those of one day, each removal once even where files overlap. Raises `ColdFile`."""
    seen: set[tuple[str, str]] = set()
    for name in names:
        for text in read_text(name).splitlines():
            line = {"removed_on": day_of_file(name), **json.loads(text)}
            place = line["shard"], line["sequence"]
            if place not in seen and day in ("", line["removed_on"]):
                seen.add(place)
                yield line


def read_text(name: str) -> str:
    """Returns the lines of one file. Raises `ColdFile`, `FileNotFoundError` if a joined one took its place, and
    `Unavailable` while the bucket cannot be read."""
    return gzip.decompress(_read(name)).decode()


def packed(text: str) -> bytes:
    """Returns what a file of these lines holds: the same bytes for the same lines."""
    return gzip.compress(text.encode(), mtime=0)


def write_text(name: str, text: str) -> None:
    """Writes one file anew, or deletes it if no line is left. Readers see all of it or none."""
    if text:
        save_file(name, packed(text))
    else:
        delete_file(name)


def save_file(name: str, content: bytes) -> None:
    """Writes a file, whole or not at all."""
    storage = _storage()
    with translated():
        try:
            target = Path(storage.path(name))
        except NotImplementedError:  # a bucket, in which each object appears as a whole
            storage.save(name, ContentFile(content))
            return
        beside = f"{name}.{os.getpid()}{DRAFT}"
        draft = Path(storage.path(storage.save(beside, ContentFile(content))))
        with draft.open("rb") as written:
            os.fsync(written.fileno())  # before what it replaces goes
        draft.replace(target)


def delete_drafts() -> None:
    """Deletes what killed processes left of files that they wrote. A bucket has none."""
    storage = _storage()
    with suppress(NotImplementedError):
        for draft in Path(storage.path(FOLDER)).rglob(f"*{DRAFT}"):
            with suppress(FileNotFoundError):  # its process has just ended it
                if time.time() - draft.stat().st_mtime > DRAFT_SECONDS:
                    draft.unlink()


def delete_file(name: str) -> None:
    with translated():
        _storage().delete(name)


def size_of(name: str) -> int:
    """Returns the bytes of a file, which S3 says of cold ones too. Raises `FileNotFoundError`."""
    with translated():
        return int(_storage().size(name))


def exists(name: str) -> bool:
    with translated():
        return bool(_storage().exists(name))


def list_notes(folder: str) -> list[str]:
    """Returns the names of the files in a folder of the archive that hold no removals."""
    try:
        return [f"{folder}/{name}" for name in sorted(_names(_storage(), folder)[1])]
    except FileNotFoundError:
        return []


def read_note(name: str) -> bytes:
    """Returns what such a file holds. Raises `FileNotFoundError`."""
    return _read(name)


def thaw(name: str, *, days: int) -> bool:
    """Asks S3 for a copy of a cold file that can be read for some days, in five to twelve hours, in the cheapest way.
    Returns whether the file is cold. Safe to repeat."""
    storage: Any = _storage()
    if not hasattr(storage, "bucket"):  # a folder of this machine
        return False
    wanted = {"Days": days, "GlacierJobParameters": {"Tier": "Bulk"}}
    with translated():
        try:
            storage.bucket.Object(name).restore_object(RestoreRequest=wanted)
        except ClientError as error:
            if error_code(error) not in (COLD, "RestoreAlreadyInProgress"):
                raise
            return error_code(error) != COLD
    return True


def _storage() -> Storage:
    return storages[STORAGE]


def _folders(storage: Storage, path: str) -> list[str]:
    try:
        return list(_names(storage, path)[0])
    except FileNotFoundError:
        return []


def _names(storage: Storage, path: str) -> tuple[list[str], list[str]]:
    """Returns the folders and the files in a folder."""
    with translated():
        return storage.listdir(path)


def _read(name: str) -> bytes:
    try:
        with translated(), _storage().open(name) as file:
            return bytes(file.read())
    except TableError as error:
        if isinstance(error.__cause__, ClientError) and error_code(error.__cause__) == COLD:
            raise ColdFile(name) from error
        raise


def _day_of(record: dict[str, Any]) -> str:
    moment = record["dynamodb"].get("ApproximateCreationDateTime", 0)
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _line(record: dict[str, Any], shard_id: str, image: RawItem, day: str) -> dict[str, Any]:
    return {
        "removed_on": day,
        "shard": shard_id,
        "sequence": str(record["dynamodb"]["SequenceNumber"]).zfill(SEQUENCE_DIGITS),
        "type": image.get("type", {}).get("S", ""),
        "pk": image["PK"]["S"],
        "sk": image["SK"]["S"],
        "item": image,
    }


def _base64(binary: bytes) -> str:
    return base64.b64encode(binary).decode()


def _write(name: str, lines: list[dict[str, Any]]) -> None:
    text = "".join(
        json.dumps(line, ensure_ascii=False, sort_keys=True, default=_base64) + "\n"
        for line in lines
    )
    write_text(name, text)  # both storages are set to overwrite
