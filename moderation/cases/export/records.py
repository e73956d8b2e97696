"""Everything that a case holds, as its export writes it down."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from pynamodb.attributes import MapAttribute

from feed.models import Audience, Post, PostPhoto
from feed.polls.said import said_by
from moderation.audit.chain import months_between
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import Found, person_of
from moderation.models import AuditEntry, Case, CaseKind, CaseNote, CasePhoto
from socialsite.clock import utc_now_iso
from socialsite.table import ids, keys
from socialsite.table.errors import NotFound
from socialsite.table.item import Item
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, fetch, query
from socialsite.table.row import row

MOST_ITEMS = 5000
NOT_WRITTEN = {  # of the machinery, and what would lead to files
    *("pk", "sk", "item_type", "ttl", "escalated_to", "escalated_at", "relation_target"),
    *("update_time", "claimed_by", "claimed_until", "secret", "source", "thumbhash"),
}
OF_PEOPLE = ("person_id", "reporter_id", "author_id", "moderator_id", "undone_by", "writer_id")
MOMENTS = ("opened_at", "reported_at", "kept_at", "decided_at")

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CaseRecords:
    """What a case holds: `items` by type, `photos` of the reported posts and profiles, and `post`, which was held.
    `since` is the earliest moment that any of it names."""

    case_id: CaseId
    person_id: str
    items: dict[str, list[Record]]
    people: dict[str, Record]
    photos: list[CasePhoto]
    post: Record
    held_photos: list[PostPhoto]
    since: str
    is_whole: bool

    @property
    def posts(self) -> list[str]:
        """Returns the posts whose texts it holds."""
        kept = {one["post_id"] for one in self.items.get("CaseEvidence", ())}
        return sorted(kept | ({self.post["post_id"]} if self.post else set()))

    @property
    def private_posts(self) -> list[str]:
        """Returns those of them that were not for everyone, which the page of the case covers."""
        said = [*self.items.get("CaseEvidence", ()), *([self.post] if self.post else [])]
        public = (None, "", Audience.EVERYONE)
        return sorted({one["post_id"] for one in said if one.get("audience") not in public})

    @property
    def pictures(self) -> int:
        """Returns how many photos and pictures it holds, which the page of the case covers."""
        return len(self.photos) + len(self.held_photos)


@access_pattern
def read_records(case_id: CaseId, *, with_notes: bool = False) -> CaseRecords:
    """Returns the case with all reports, evidence, messages and actions. The notes that moderators wrote for each other
    are there only if that was chosen. Raises `NotFound`.

    Query of the case's partition, consistent, 1 read unit per 4 KB, at most 5,000 items; BatchGetItem of the people and
    of the held post, 0.5 each.
    """
    rows = list(islice(query(case_id.key.pk, consistent=True), MOST_ITEMS + 1))
    items = [as_model(Item, raw) for raw in rows[:MOST_ITEMS]]
    case = next((one for one in items if isinstance(one, Case)), None)
    if case is None:
        raise NotFound("no such case")
    records: dict[str, list[Record]] = {}
    for one in items:
        if with_notes or not isinstance(one, CaseNote):
            records.setdefault(type(one).__name__, []).append(record_of(one))
    post_key = keys.post(case.person_id, case_id.subject_id)
    held = [post_key] if case_id.kind == CaseKind.POST else []
    named = {getattr(one, name, None) or "" for one in items for name in OF_PEOPLE} - {""}
    found = fetch([*(keys.user_info(user_id) for user_id in sorted(named)), *held])
    raw_post = found.get(post_key, {})
    return CaseRecords(
        case_id=case_id,
        person_id=case.person_id,
        items=records,
        people={user_id: _person(user_id, found) for user_id in sorted(named)},
        photos=[one for one in items if isinstance(one, CasePhoto)],
        post=_post(raw_post),
        held_photos=[row(PostPhoto, one["M"]) for one in raw_post.get("photos", {}).get("L", ())],
        since=min(getattr(one, name) for one in items for name in MOMENTS if hasattr(one, name)),
        is_whole=len(rows) <= MOST_ITEMS,
    )


@access_pattern
def list_entries_of(case_id: CaseId, *, since: str) -> list[Record]:
    """Returns the entries of the audit log about a case since a moment, oldest first, each with its hash and the one
    before. A consistent Query of each month since then, which reads all its entries: 1 read unit per 4 KB."""
    about = AuditEntry.case == str(case_id)
    return [
        record_of(as_model(AuditEntry, raw))
        for month in months_between(since[:7], utc_now_iso()[:7])
        for raw in query(keys.audit_entries(month), consistent=True, having=about)
    ]


def record_of(item: Item) -> Record:
    """Returns the attributes of an item that say something about the case, by their names in the models."""
    return {
        name: _plain(value)
        for name, value in sorted(item.attribute_values.items())
        if name not in NOT_WRITTEN and value is not None
    }


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, MapAttribute):
        return value.as_dict()
    return value.isoformat() if isinstance(value, datetime) else value


def _person(user_id: str, found: Found) -> Record:
    """Returns a person as they are now, without what they gave to sign up. Of one who is gone only the id is left."""
    card = person_of(user_id, found)
    if card is None:
        return {"user_id": user_id}
    return {
        "user_id": user_id,
        "handle": card.handle,
        "name": card.name,
        "bio": card.bio,
        "gender": card.gender,
        "location": card.location,
        "signed_up_at": ids.time_of(user_id).isoformat(),
    }


def _post(raw: RawItem) -> Record:
    if not raw:
        return {}
    post = row(Post, raw)
    return {
        "post_id": post.post_id,
        "author_id": post.author_id,
        "content": said_by(post),
        "warning": post.warning,
        "withheld": post.withheld,
    }
