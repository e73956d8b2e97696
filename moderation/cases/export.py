"""A case as a zip, for authorities and courts: everything that the case holds with its entries of the audit log, the
photos that moderators keep, and the hashes of all files. It is entered in the log before anything leaves the site."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from pynamodb.attributes import MapAttribute

from accounts.people.viewer import Viewer
from feed.polls.models import said_by
from feed.posts.models import Audience, Post, PostPhoto
from moderation.cases.cards import Found, person_of
from moderation.cases.photos import name_of
from moderation.cases.reads import CaseId, OwnCase
from moderation.log.chain import months_between
from moderation.log.writes import record
from moderation.models import AuditEntry, Case, CaseKind, CaseNote, CasePhoto, Keeping
from photos.files import COPIED, PRIVATE, open_copy, read_file
from socialsite.clock import utc_now_iso
from socialsite.table import (
    Item,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    query,
    row,
)

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
    """What a case holds: `items` by type, `photos` of reported posts, messages and profiles, and `post`, the held one.
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
    def messages(self) -> int:
        """Returns how many private messages it holds, which the page of the case covers."""
        return len(self.items.get("MessageEvidence", ()))

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


FORMAT = "socialsite case 1"
IN_MEMORY = 8 * 1024 * 1024  # bytes, then on the disk
MOST_OF_PHOTOS = 100 * 1024 * 1024
SUMS, LOG, READ_ME = "SHA256SUMS", "log.json", "README.txt"
EXPLAINED = """This is one moderation case, as the site had it when it was exported.

case.json    the case: reports, posts, profiles, starter packs and private messages as they were when they were
             reported, actions, outcomes, messages about appeals. A private message that is not "reported" is there to
             say what those beside it are about
photos/      the photos of those posts and of reported messages, and the pictures of the profile
SHA256SUMS   the SHA-256 of each of these files. Check them with: sha256sum -c SHA256SUMS
log.json     what the site's audit log says about the case, each entry with its hash and that of the entry before. The
             last one is this export. Its sha256 is that of SHA256SUMS, so both prove each other.

The log is a chain of hashes, made with a key that only the site has. The site can show that the chain is whole.
Email addresses and network addresses are not part of it. Notes that moderators wrote for each other are part of it only
if "with_notes" in case.json says so.
"""


class CaseZip:
    """Writes the files of a case one by one, and remembers their hashes."""

    def __init__(self) -> None:
        # The answer closes it.
        self.file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._zip = ZipFile(self.file, "w", ZIP_DEFLATED)
        self._sums: dict[str, str] = {}

    def add_case(self, records: CaseRecords, **facts: str | bool) -> None:
        """Adds everything but the log. `facts` say who exported it, when, and what of it."""
        photos, missing = [], []
        room = MOST_OF_PHOTOS
        for name, content in _photos(records):
            if content is None or len(content) > room:
                missing.append(name)
                continue
            room -= len(content)
            photos.append(name)
            self._add(name, content)
        what = {
            "format": FORMAT,
            **facts,
            "case": str(records.case_id),
            "is_whole": records.is_whole and not missing,
            "person": records.people.get(records.person_id, {}),
            "people": records.people,
            "held_post": records.post,
            "items": records.items,
            "photos": photos,
            "photos_missing": missing,
        }
        self._add("case.json", _json(what))
        self._add(READ_ME, EXPLAINED.encode())

    def add_sums(self) -> str:
        """Adds the hashes of all files so far, and returns the hash of that list."""
        lines = [f"{digest}  {name}\n" for name, digest in sorted(self._sums.items())]
        text = "".join(lines).encode()
        self._add(SUMS, text)
        return self._sums[SUMS]

    def add_log(self, entries: list[dict[str, Any]]) -> IO[bytes]:
        """Adds the log as the last file, and returns the zip, ready to be read."""
        self._add(LOG, _json(entries))
        self._zip.close()
        self.file.seek(0)
        return self.file

    def _add(self, name: str, content: bytes) -> None:
        self._sums[name] = hashlib.sha256(content).hexdigest()
        self._zip.writestr(name, content)


def _photos(records: CaseRecords) -> Iterator[tuple[str, bytes | None]]:
    """Yields the name and the content of each photo, None for a picture that is not there."""
    for one in records.photos:
        place = one.part or f"{one.post_id or one.message_id}-{int(one.number)}"
        name = f"photos/{place}-{one.photo_id if one.part else one.version}.webp"
        yield name, _copy_of(one.person_id, name_of(one)) if one.state == Keeping.KEPT else None
    for number, held in enumerate(records.held_photos, 1):
        yield f"photos/{records.case_id.subject_id}-{number}.webp", _held(held.secret)


def _copy_of(person_id: str, name: str) -> bytes | None:
    try:
        with open_copy(person_id, name) as file:
            return file.read()
    except NotFound:
        return None


def _held(secret: str) -> bytes | None:
    try:
        return read_file(PRIVATE, secret, COPIED)
    except NotFound:
        return None


def _json(what: Any) -> bytes:
    return json.dumps(what, ensure_ascii=False, indent=2, default=str).encode()


@access_pattern
def export_case(*, by: Viewer, case_id: CaseId, with_notes: bool = False) -> IO[bytes]:
    """Returns the case as a zip, with the posts that were not for everyone, reported private messages, and with the
    moderators' notes if that was chosen. The log keeps which posts, which of them were covered, how many pictures and
    messages, whether notes, and the hash of the list of hashes, so that it shows later what was handed out and opened.
    Raises `NotFound`, `OwnCase`.

    As `read_records`, then a GetItem of the log's head and one TransactWriteItems, 4 write units, then as
    `list_entries_of`; and a file for each photo.
    """
    records = read_records(case_id, with_notes=with_notes)
    if records.person_id == by.user_id:
        raise OwnCase
    made = CaseZip()
    made.add_case(records, exported_at=utc_now_iso(), exported_by=by.user_id, with_notes=with_notes)
    record(
        by=by.user_id,
        action="export case",
        case=str(case_id),
        person_id=records.person_id,
        detail={
            "posts": records.posts,
            **({"opened": records.private_posts} if records.private_posts else {}),
            **({"photos": records.pictures} if records.pictures else {}),
            **({"messages": records.messages} if records.messages else {}),
            "sha256": made.add_sums(),
            **({"notes": "yes"} if with_notes else {}),
        },
    )
    return made.add_log(list_entries_of(case_id, since=records.since))
