"""The person whose account is erased, as the phases see them."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from accounts.cards import PersonCard
from accounts.models import UserInfo
from accounts.viewer import Viewer
from privacy.erasure.terms import EVIDENCE_KEPT
from socialsite.models import Job
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

Handled = Counter[str]  # how many items of each kind a step dealt with


@dataclass(frozen=True, slots=True)
class Leaver:
    """Whose items these are. `viewer` is the actor for the services that end what people begin themselves."""

    user_id: str
    receipt_id: str
    handle: str
    pictures: int
    role: str
    evidence_until: datetime
    viewer: Viewer


@access_pattern
def read_leaver(job: Job) -> Leaver | None:
    """Returns the person of an erasure's job, None once they are erased. One consistent BatchGetItem, 1 read unit."""
    key = keys.user_info(job.subject_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        return None
    info = row(UserInfo, raw)
    viewer = Viewer(info.user_id, card=PersonCard.from_raw(raw))
    return Leaver(
        user_id=info.user_id,
        receipt_id=job.job_id,
        handle=info.handle,
        pictures=bool(info.avatar) + bool(info.header),
        role=info.role,
        evidence_until=datetime.fromisoformat(info.closing) + EVIDENCE_KEPT,
        viewer=viewer,
    )


def first_of(
    partition: str, count: int, *, between: tuple[str, str] | None = None
) -> list[RawItem]:
    """Returns the first items of a partition, expired ones too. One consistent Query, 1 read unit for each 4 KB."""
    rows = query(partition, between=between, limit=count, consistent=True, with_expired=True)
    return list(islice(rows, count))
