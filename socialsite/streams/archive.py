"""The archive of what TTL removed: gzip JSON lines, by date, shard and sequence.

    archive/date=2026-11-21/shardId-…/00000000000000012345-00000000000000012377.jsonl.gz

A file's name holds its first and last removal, so files of the same name always have the same content. A batch that is
read again after a crash overwrites its file or makes a longer one beside it, and late writes of a frozen worker lose
nothing. Athena can read the layout as partitions (`docs/archive.md`). The storage decides where the files go:
`DATA_DIR`, or the S3 bucket of `ARCHIVE_BUCKET`.
"""

import base64
import gzip
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from socialsite.streams.change import expired_image, type_of
from socialsite.streams.models import RETIRED_ITEMS
from socialsite.table import RawItem, translated

FOLDER = "archive"
STORAGE = "archive"
OF_CASES = {  # what moderators keep for a term after an account was erased
    "Case",
    "CaseAction",
    "CaseEvidence",
    "CaseMessage",
    "CaseNote",
    "CaseOutcome",
    "CasePhoto",
    "CaseReport",
    "ClosedCase",
    "ProfileEvidence",
    "ReportTrace",
    "Strike",
}
NOT_ARCHIVED = {  # nothing that people wrote for others
    "CostDay",
    "CostSample",
    "DayCount",
    "Dismissal",
    "Draft",
    "Due",
    "DomainEntry",
    "EmailClaim",
    "HandleClaim",
    "Hint",
    "Export",
    *RETIRED_ITEMS,
    "Lease",
    "MediaEntry",
    "PersonEntry",
    "PersonKey",
    "Notification",
    "Origin",
    "OriginTrace",
    "Photo",
    "PublicEntry",
    "RateLimit",
    "Receipt",
    "RecentChange",
    "SiteBallot",
    "Repost",
    "SamePost",
    "Scheduled",
    "SeenRecord",
    "SignIn",
    "StoredCount",
    "Submission",
    "Suggestions",
    "Token",
    "UsedChallenge",
    "Vote",
    "TagEntry",
    "TimelineEntry",
    "Wave",
    "WaveTarget",
    *OF_CASES,
}
OF_POSTS = {"LikeCount", "Post"}  # that ended by themselves: kept only where the site is set to
SEQUENCE_DIGITS = 40  # Amazon's have up to 40; padded, names sort in order


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
        by_day.setdefault(_day_of(record), []).append(_line(record, shard_id, image))
    for day, lines in by_day.items():
        first, last = lines[0]["sequence"], lines[-1]["sequence"]
        _write(f"{FOLDER}/date={day}/{shard_id}/{first}-{last}.jsonl.gz", lines)
    return sum(len(lines) for lines in by_day.values())


def _is_kept(item_type: str) -> bool:
    if item_type in OF_POSTS:
        return bool(settings.ARCHIVE_EXPIRED_POSTS)
    return item_type not in NOT_ARCHIVED


def list_files(*, day: str = "") -> Iterator[str]:
    """Returns the names of the archive's files, oldest day first, or of one day (`2026-11-21`). Raises `Unavailable`
    while the bucket cannot be read."""
    storage = _storage()
    days = [f"date={day}"] if day else sorted(_folders(storage, FOLDER))
    for folder in days:
        for shard in sorted(_folders(storage, f"{FOLDER}/{folder}")):
            _, files = _names(storage, f"{FOLDER}/{folder}/{shard}")
            yield from (f"{FOLDER}/{folder}/{shard}/{file}" for file in sorted(files))


def read_lines(names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yields the lines of files, each removal once even where files overlap."""
    seen: set[tuple[str, str]] = set()
    for name in names:
        for text in gzip.decompress(_read(name)).splitlines():
            line = json.loads(text)
            place = line["shard"], line["sequence"]
            if place not in seen:
                seen.add(place)
                yield line


def read_text(name: str) -> str:
    """Returns the lines of one file, for erasures. Raises `Unavailable` while the bucket cannot be read."""
    return gzip.decompress(_read(name)).decode()


def write_text(name: str, text: str) -> None:
    """Writes one file anew, or deletes it if no line is left: only erasures change the archive."""
    with translated():
        if text:
            _storage().save(name, ContentFile(gzip.compress(text.encode(), mtime=0)))
        else:
            _storage().delete(name)


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
    with translated(), _storage().open(name) as file:
        return bytes(file.read())


def _day_of(record: dict[str, Any]) -> str:
    moment = record["dynamodb"].get("ApproximateCreationDateTime")
    if not isinstance(moment, datetime):
        moment = datetime.fromtimestamp(float(moment or 0), UTC)
    return moment.astimezone(UTC).date().isoformat()


def _line(record: dict[str, Any], shard_id: str, image: RawItem) -> dict[str, Any]:
    return {
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
