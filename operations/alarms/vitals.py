"""The vital signs of this machine: room on its disk, its last backup, the certificate it serves."""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from django.conf import settings

from socialsite.clock import utc_now
from socialsite.engine.running import free_bytes
from socialsite.vital_signs import Vital, vital_signs

LAST_BACKUP = "last-backup"  # a file in the data folder, which `manage.py backup` touches
OWN_CERTIFICATE = "tls.pem"  # made by `make serve`, which makes another one in time
WITHOUT_BACKUP = "without-backup-since"  # such a file, touched when the first backup was missed


@vital_signs(kept=0, of_machine=True)
def of_disk() -> Iterator[Vital]:
    """Nothing where there is no data folder, as on Amazon."""
    with suppress(OSError):
        free = free_bytes(settings.DATA_DIR)
        yield Vital("data_disk_free_bytes", "Room left on the disk of the data", free)


@vital_signs(of_machine=True)
def of_backup() -> Iterator[Vital]:
    if (age := backup_age()) is not None:
        seconds = age.total_seconds()
        yield Vital(
            "backup_age_seconds", "Age of the last backup, or since there should be one", seconds
        )


@vital_signs(of_machine=True)
def of_certificate() -> Iterator[Vital]:
    """Nothing where something else than this site serves https."""
    path = os.environ.get("TLS_CERTIFICATE") or Path(settings.DATA_DIR) / OWN_CERTIFICATE
    with suppress(OSError, ValueError):
        ends = x509.load_pem_x509_certificate(Path(path).read_bytes()).not_valid_after_utc
        days = (ends - utc_now()) / timedelta(days=1)
        yield Vital("certificate_days_left", "Days until the certificate of the site ends", days)


def backup_age() -> timedelta | None:
    """Returns how old the last backup is. Where there never was one, it is as old as the first look for it. None where
    Amazon makes them."""
    if settings.DYNAMODB_ENGINE != "embedded":
        return None
    if (age := _age_of(LAST_BACKUP)) is not None:
        return age
    if _age_of(WITHOUT_BACKUP) is None:
        (Path(settings.DATA_DIR) / WITHOUT_BACKUP).touch()
    return _age_of(WITHOUT_BACKUP)


def has_backup() -> bool:
    return _age_of(LAST_BACKUP) is not None


def _age_of(name: str) -> timedelta | None:
    try:
        made = (Path(settings.DATA_DIR) / name).stat().st_mtime
    except OSError:
        return None
    return utc_now() - datetime.fromtimestamp(made, UTC)
