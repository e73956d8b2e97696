"""A reported profile as it was, kept in the case even if the person changes it. Its pictures: `photos/pictures.py`."""

import hashlib
from collections.abc import Collection

from accounts.models import UserInfo
from moderation.cases.cases import CaseMoved
from moderation.cases.photos.pictures import picture_evidence
from moderation.models import CaseKind, ProfileEvidence
from socialsite.table import keys
from socialsite.table.actions import Upsert, WriteAction
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

PARTS = ("handle", "name", "bio", "location", "avatar", "header", "gender")


def profile_evidence(
    raw: RawItem, *, now: str, withdrawn: Collection[str] = ()
) -> list[WriteAction]:
    """Returns the profile of a raw `UserInfo` as evidence, with its pictures. The same profile is kept once, no matter
    how many people report it. `withdrawn` as in `picture_evidence`."""
    info = row(UserInfo, raw)
    said = {name: getattr(info, name) for name in PARTS}
    actions = [
        ProfileEvidence.person_id.set(info.user_id),
        ProfileEvidence.kept_at.set(ProfileEvidence.kept_at | now),
        *(getattr(ProfileEvidence, name).set(text) for name, text in said.items() if text),
    ]
    same = ProfileEvidence.handle.does_not_exist() | (ProfileEvidence.handle == info.handle)
    kept = Upsert(ProfileEvidence, _key(info), actions, same, CaseMoved)
    return [kept, *picture_evidence(info, withdrawn=withdrawn)]


def is_profile_kept(raw: RawItem) -> bool:
    """Whether the case already has the profile of a raw `UserInfo`. One consistent BatchGetItem, 1 read unit."""
    key = _key(row(UserInfo, raw))
    return key in fetch([key], consistent=True)


def version_of(info: UserInfo) -> str:
    """Returns what tells this version of the profile from every other. One without pronouns has the name that it had
    before they were kept."""
    parts = PARTS if info.gender else PARTS[:-1]
    said = "\0".join(str(getattr(info, name)) for name in parts)
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _key(info: UserInfo) -> Key:
    return keys.case_profile(CaseKind.PERSON, info.user_id, version_of(info))
