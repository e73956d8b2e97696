"""A reported post as it was, kept in the case. Its photos: `photos/reported.py`."""

import hashlib

from accounts.cards import PersonCard
from feed.models import Post, PostVersion
from feed.polls.said import said_by
from feed.visibility import audience_of
from moderation.cases.cases import CaseMoved
from moderation.cases.photos.reported import photo_evidence
from moderation.models import CaseEvidence, CaseKind
from socialsite.table import keys
from socialsite.table.actions import Upsert, WriteAction
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

OF_A_REPLY = ("root_id", "root_author_id", "reply_to", "path")


def post_evidence(raw: RawItem, author: RawItem, *, version: int, now: str) -> list[WriteAction]:
    """Returns the post as it is now, or was in a version, as evidence. The same text is kept once, no matter how many
    people report it."""
    post = row(Post, raw)
    content, warning = _seen(post, version)
    actions = [
        CaseEvidence.post_id.set(post.post_id),
        CaseEvidence.author_id.set(post.author_id),
        CaseEvidence.content.set(content),
        CaseEvidence.kept_at.set(CaseEvidence.kept_at | now),
    ]
    if audience := audience_of(raw, PersonCard.from_raw(author)):
        actions.append(CaseEvidence.audience.set(audience))
    if warning:
        actions.append(CaseEvidence.warning.set(warning))
    for name in OF_A_REPLY:
        if value := getattr(post, name):
            actions.append(getattr(CaseEvidence, name).set(value))
    same = CaseEvidence.content.does_not_exist() | (CaseEvidence.content == content)
    key = _key(post, content, warning)
    return [Upsert(CaseEvidence, key, actions, same, CaseMoved), *photo_evidence(raw)]


def is_kept(raw: RawItem) -> bool:
    """Whether the case already has this version of the post, so that moderators see it or have seen it. One consistent
    BatchGetItem, 1 read unit."""
    post = row(Post, raw)
    key = _key(post, said_by(post), post.warning or "")
    return key in fetch([key], consistent=True)


def _seen(post: Post, version: int) -> tuple[str, str]:
    """Returns what the post said when the reporter saw it, and its content warning then."""
    if 0 < version < int(post.version):
        key = keys.post_version(post.post_id, version)
        if raw := fetch([key], consistent=True).get(key):
            seen = row(PostVersion, raw)
            return seen.content, seen.warning or ""
    return said_by(post), post.warning or ""


def _key(post: Post, content: str, warning: str) -> Key:
    words = f"{warning}\0{content}" if warning else content
    version = hashlib.sha256(words.encode()).hexdigest()[:12]
    return keys.case_evidence(CaseKind.PERSON, post.author_id, post.post_id, version)
