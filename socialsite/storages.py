"""Where files are kept: folders of this machine, or buckets of S3."""

import os
from pathlib import Path
from typing import Any

from socialsite.private_files import FILE_MODE, FOLDER_MODE

S3 = "storages.backends.s3.S3Storage"
FOLDER = "django.core.files.storage.FileSystemStorage"
MODES = {"file_permissions_mode": FILE_MODE, "directory_permissions_mode": FOLDER_MODE}


def storages(
    *,
    data_dir: Path,
    media_bucket: str,
    archive_bucket: str,
    export_bucket: str,
    photo_bucket: str,
    region: str,
    debug: bool,
) -> dict[str, Any]:
    """Returns the `STORAGES` of the settings: uploads, the archive of expired items, what people
    export, their photos, and static files."""
    static = "django.contrib.staticfiles.storage.StaticFilesStorage"
    joined = "socialsite.web.static_files.JoinedStaticFilesStorage"
    return {
        "default": _media(media_bucket, region),
        "archive": _private(archive_bucket, region, data_dir),
        "exports": _private(export_bucket, region, data_dir / "exports"),
        "photos": _private(photo_bucket, region, data_dir / "photos"),
        "staticfiles": {"BACKEND": static if debug else joined},
    }


def _media(bucket: str, region: str) -> dict[str, Any]:
    if not bucket:
        return {"BACKEND": FOLDER, "OPTIONS": MODES}
    options = {
        "bucket_name": bucket,
        "region_name": region,
        "querystring_auth": False,
        "custom_domain": os.environ.get("MEDIA_DOMAIN") or None,
        "object_parameters": {"CacheControl": "public, max-age=31536000, immutable"},
    }
    return {"BACKEND": S3, "OPTIONS": options}


def _private(bucket: str, region: str, folder: Path) -> dict[str, Any]:
    if bucket:
        options = {
            "bucket_name": bucket,
            "region_name": region,
            "max_memory_size": 8 * 1024 * 1024,  # bytes; what is larger is read through a file
        }
        return {"BACKEND": S3, "OPTIONS": options}
    return {
        "BACKEND": FOLDER,
        "OPTIONS": {"location": folder, "allow_overwrite": True, **MODES},
    }
