"""How a person's export stands: nothing asked for, being made, or ready."""

from dataclasses import dataclass
from datetime import UTC, datetime

from accounts.cards import moment_text
from privacy.export.place import Place
from privacy.export.sources import NAMES
from privacy.models import Export
from socialsite.clock import utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class State:
    """An export as its page shows it. `gathered` is how many entries the steps have read, `percent` how far they are:
    by lists, as their lengths are not known."""

    user_id: str
    export_id: str
    site: str
    asked_at: str
    ready_at: str
    size: int
    until: str
    gathered: int = 0
    percent: int = 0
    granted_to: str = ""
    granted_until: str = ""

    @property
    def is_ready(self) -> bool:
        return bool(self.ready_at)

    @property
    def until_text(self) -> str:
        return moment_text(self.until)

    @property
    def ready_text(self) -> str:
        return moment_text(self.ready_at)

    def is_open_to(self, secret_hash: str) -> bool:
        """Whether this sign-in may download it now."""
        is_granted = bool(secret_hash) and self.granted_to == secret_hash
        return self.is_ready and is_granted and self.granted_until > utc_now_iso()


@access_pattern
def get_export(user_id: str) -> State | None:
    """Returns how a person's export stands, None if they have asked for none in the last day.

    A consistent BatchGetItem, 1 read unit, and while it is being made another one of its job.
    """
    key = keys.export(user_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        return None
    export = row(Export, found)
    gathered, percent = (0, 100) if export.ready_at else _progress(export.export_id)
    return State(
        user_id=user_id,
        export_id=export.export_id,
        site=export.site,
        asked_at=export.asked_at,
        ready_at=str(export.ready_at),
        size=int(export.size or 0),
        until=_moment(int(found["ttl"]["N"])),
        gathered=gathered,
        percent=percent,
        granted_to=str(export.granted_to),
        granted_until=str(export.granted_until),
    )


def _progress(export_id: str) -> tuple[int, int]:
    """Returns how many entries the job has read and how far it is. Behind its end the zip is made."""
    key = keys.job(JobKind.EXPORT, export_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        return 0, 99
    job = row(Job, found)
    return int(job.done), 98 * Place.from_cursor(job.cursor).number // len(NAMES)


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
