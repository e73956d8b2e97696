"""A reported profile as it was, kept in the case even if the person changes it. Of its pictures only the names of the
files are kept, which tell whether they are still the same."""

import hashlib

from accounts.models import UserInfo
from moderation.cases.cases import CaseMoved
from moderation.models import CaseKind, ProfileEvidence
from socialsite.table import keys
from socialsite.table.actions import Upsert
from socialsite.table.reading import RawItem
from socialsite.table.row import row

PARTS = ("handle", "name", "bio", "location", "avatar", "header")


def profile_evidence(raw: RawItem, *, now: str) -> Upsert:
    """Returns the profile of a raw `UserInfo` as evidence. The same profile is kept once, no matter how many people
    report it."""
    info = row(UserInfo, raw)
    said = {name: getattr(info, name) for name in PARTS}
    version = hashlib.sha256("\0".join(said.values()).encode()).hexdigest()[:12]
    actions = [
        ProfileEvidence.person_id.set(info.user_id),
        ProfileEvidence.kept_at.set(ProfileEvidence.kept_at | now),
        *(getattr(ProfileEvidence, name).set(text) for name, text in said.items() if text),
    ]
    same = ProfileEvidence.handle.does_not_exist() | (ProfileEvidence.handle == info.handle)
    key = keys.case_profile(CaseKind.PERSON, info.user_id, version)
    return Upsert(ProfileEvidence, key, actions, same, CaseMoved)
