"""Backups in a bucket of S3, or of what speaks like it: `s3://bucket/folder/` beside the name of a file.

The bucket has credentials of its own (`BACKUP_KEY_ID`, `BACKUP_SECRET`), as those in the environment would say that the
table is Amazon's. Let it keep versions and forbid deletion to these credentials, and nobody who breaks into the machine
can take the backups too: then leave out `--keep`, and let the bucket delete what is old.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from urllib3.exceptions import HTTPError

from operations.backup.create import PREFIX, SUFFIX, BackupError

SCHEME = "s3://"
PATIENCE = Config(connect_timeout=5, read_timeout=60, retries={"mode": "standard"})


def split(address: str) -> tuple[str, str]:
    """Returns bucket and key of an address. Raises `BackupError`."""
    bucket, _, key = address.removeprefix(SCHEME).partition("/")
    if not bucket:
        raise BackupError(f"{address} names no bucket. Write it as in s3://bucket/folder/.")
    return bucket, key


def upload(file: Path, address: str, on_bytes: Callable[[int], None]) -> str:
    """Sends the file, below its own name where the address is a folder, and returns its address. S3 checks each part,
    and shows the whole only when all of it has come. Raises `BackupError`."""
    bucket, key = split(address)
    if not key.endswith(SUFFIX):
        key = f"{key.rstrip('/')}/{file.name}".lstrip("/")
    with _refusing(f"{SCHEME}{bucket}/{key}"):
        _client().upload_file(
            str(file), bucket, key, Callback=on_bytes, ExtraArgs={"ChecksumAlgorithm": "SHA256"}
        )
        found = _client().head_object(Bucket=bucket, Key=key)
    if found["ContentLength"] != file.stat().st_size:
        raise BackupError(f"{SCHEME}{bucket}/{key} is not as long as {file}. Try again.")
    return f"{SCHEME}{bucket}/{key}"


def newest(address: str) -> str:
    """Returns the address itself, or, if it is a folder, that of the newest backup in it. Raises `BackupError`."""
    bucket, key = split(address)
    if key.endswith(SUFFIX):
        return address
    found = _names(bucket, key)
    if not found:
        raise BackupError(f"{address} holds no backup.")
    return f"{SCHEME}{bucket}/{found[-1]}"


def remove_old(address: str, *, keep: int) -> list[str]:
    """Deletes all but the newest backups in the folder, and returns their keys. Raises `BackupError`."""
    bucket, key = split(address)
    old = _names(bucket, key.rpartition("/")[0] if key.endswith(SUFFIX) else key)[:-keep]
    with _refusing(address):
        for one in old:
            _client().delete_object(Bucket=bucket, Key=one)
    return old


@contextmanager
def opened(address: str) -> Iterator[IO[bytes]]:
    """Yields what is stored there, read as it comes. Raises `BackupError`, also where reading breaks off."""
    bucket, key = split(address)
    with _refusing(address):
        body: Any = _client().get_object(Bucket=bucket, Key=key)["Body"]
        try:
            yield body
        finally:
            body.close()


def _names(bucket: str, folder: str) -> list[str]:
    """Returns the keys of backups in the folder, sorted by their time, which stands in their names."""
    prefix = f"{folder.rstrip('/')}/{PREFIX}".lstrip("/")
    with _refusing(f"{SCHEME}{bucket}/{folder}"):
        pages = _client().get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [str(one["Key"]) for page in pages for one in page.get("Contents", [])]
    return sorted(key for key in keys if key.endswith(SUFFIX) and "/" not in key[len(prefix) :])


@contextmanager
def _refusing(address: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "an error")
        said = (
            "does not exist"
            if code in ("404", "NoSuchKey", "NoSuchBucket")
            else f"is refused ({code})"
        )
        raise BackupError(f"{address} {said}. Check the address and BACKUP_KEY_ID.") from error
    except (BotoCoreError, HTTPError, boto3.exceptions.Boto3Error) as error:
        raise BackupError(
            f"{address} cannot be reached or read ({error}). Your data is unchanged."
        ) from error


def _client() -> Any:
    return boto3.client(
        "s3",
        region_name=settings.BACKUP_REGION,
        endpoint_url=settings.BACKUP_ENDPOINT or None,
        aws_access_key_id=settings.BACKUP_KEY_ID or None,
        aws_secret_access_key=settings.BACKUP_SECRET or None,
        config=PATIENCE,
    )
