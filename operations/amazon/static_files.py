"""The static files: collected here, and sent to their bucket, from which CloudFront serves them."""

import mimetypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import boto3
from rich.console import Console
from rich.progress import Progress

ROOT = Path(__file__).resolve().parents[2]
YEAR = "public, max-age=31536000, immutable"
HOUR = "public, max-age=3600"
HASHED = re.compile(r"\.[0-9a-f]{12}\.")
# Only to load the settings: none of these signs or seals anything here.
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "socialsite.settings",
    "DEBUG": "0",
    "SECRET_KEY": "collects",
    "DATA_KEY": "collects",
    "ALLOWED_HOSTS": "localhost",
}


def push_static(session: boto3.Session, *, bucket: str, console: Console) -> None:
    """Collects the static files and sends those that the bucket does not have. None is deleted: pages that are open
    name files of before."""
    s3 = session.client("s3")
    with tempfile.TemporaryDirectory() as folder:
        _collect(folder)
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix="static/")
        there = {one["Key"] for page in pages for one in page.get("Contents", [])}
        files = [file for file in sorted(Path(folder).rglob("*")) if _is_sent(file)]
        with Progress(console=console, transient=True) as progress:
            for file in progress.track(files, description="Static files"):
                key = f"static/{file.relative_to(folder).as_posix()}"
                is_hashed = bool(HASHED.search(file.name))
                if key in there and is_hashed:
                    continue
                kind, _ = mimetypes.guess_type(file.name)
                s3.put_object(
                    Bucket=bucket,
                    Key=key,
                    Body=file.read_bytes(),
                    ContentType=kind or "application/octet-stream",
                    CacheControl=YEAR if is_hashed else HOUR,
                )
    console.print(f"{len(files)} static files are in {bucket}.", highlight=False)


def _is_sent(file: Path) -> bool:
    # CloudFront compresses by itself.
    return file.is_file() and file.suffix not in (".br", ".gz")


def _collect(folder: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT,
        env=os.environ | ENVIRONMENT | {"STATIC_ROOT": folder, "DATA_DIR": f"{folder}-data"},
    )
    if done.returncode:
        raise OSError("The static files could not be collected, see above.")
