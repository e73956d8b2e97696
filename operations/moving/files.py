"""Files of a site, in folders or in buckets of S3: what differs there in name or size is copied."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage, Storage, storages

from operations.moving.place import MoveError, Place

# The beginning of what belongs to a storage: the archive's folder is the data folder itself.
STORAGES = {"default": "", "photos": "", "exports": "", "archive": "archive/"}
PUT_PRICE = (
    0.005 / 1000
)  # dollars, of S3's standard class (aws.amazon.com/s3/pricing, November 2026)


@dataclass
class FileSizes:
    """How many files there are, or were copied and deleted."""

    count: int = 0
    bytes: int = 0
    copied: int = 0
    deleted: int = 0
    into_buckets: int = 0

    @property
    def changes(self) -> int:
        return self.copied + self.deleted


def list_files(storage: Storage, beginning: str) -> Iterator[tuple[str, int]]:
    """Yields name and size of each file whose name begins so."""
    if isinstance(storage, FileSystemStorage):
        root = Path(storage.base_location)
        for file in sorted((root / beginning).rglob("*")):
            if file.is_file():
                yield file.relative_to(root).as_posix(), file.stat().st_size
    else:
        bucket: Any = storage
        for one in bucket.bucket.objects.filter(Prefix=beginning):
            yield one.key, one.size


def foreign_files(there: Place) -> list[str]:
    """Returns the first files there that this site does not have."""
    found = []
    for name, beginning in STORAGES.items():
        own = dict(list_files(storages[name], beginning))
        theirs = list_files(there.files[name], beginning)
        found += [f"{name}: {one}" for one, _ in theirs if one not in own][:3]
    return found


def measure_files(there: Place) -> FileSizes:
    """Returns how much would be copied."""
    sizes = FileSizes()
    for name, beginning in STORAGES.items():
        files = list(list_files(storages[name], beginning))
        sizes.count += len(files)
        sizes.bytes += sum(size for _, size in files)
        if not isinstance(there.files[name], FileSystemStorage):
            sizes.into_buckets += len(files)
    return sizes


def copy_files(there: Place, *, on_files: Callable[[int], None]) -> FileSizes:
    """Copies what is not there or has another size, as the rest of a copy that broke off, and deletes what is gone."""
    done = FileSizes()
    for name, beginning in STORAGES.items():
        source, target = storages[name], there.files[name]
        own = dict(list_files(source, beginning))
        theirs = dict(list_files(target, beginning))
        for file, size in own.items():
            if theirs.get(file) != size:
                done.copied += _copy(source, target, file, replaces=file in theirs)
            on_files(1)
        for file in theirs.keys() - own.keys():
            target.delete(file)
            done.deleted += 1
        done.count += len(own)
        done.bytes += sum(own.values())
    return done


def _copy(source: Storage, target: Storage, file: str, *, replaces: bool) -> bool:
    try:
        opened = source.open(file)
    except FileNotFoundError:  # deleted since it was listed
        return False
    with opened:
        if replaces:
            target.delete(file)
        if (saved := target.save(file, opened)) != file:
            raise MoveError(f"{file} was stored as {saved}: another process writes there.")
    return True
