"""Resetting parts of a profile, and putting them back as the case keeps them: writes for the transaction of a decision
and of its undoing."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.mentions import find_mentioned
from accounts.models import UserInfo
from accounts.profile_pictures import Kind
from moderation.cases.cases import CaseMoved
from moderation.cases.kept.profiles import profile_evidence, version_of
from moderation.cases.photos.pictures import stored_anew
from moderation.models import ActionKind, Case, CaseAction, ProfileEvidence, Strike
from socialsite.clock import utc_now_iso
from socialsite.table import keys
from socialsite.table.actions import IS_ABSENT, Change, Check, WriteAction
from socialsite.table.errors import NotFound
from socialsite.table.reading import fetch, query
from socialsite.table.row import row

PARTS = ("name", "bio", "gender", "location", "avatar", "header")


@dataclass(frozen=True, slots=True)
class Reset:
    """What resets a profile: the parts that had something to reset, the version that the case keeps of the profile, and
    the writes."""

    parts: tuple[str, ...] = ()
    profile: str = ""
    writes: tuple[WriteAction, ...] = ()


def reset_of(person_id: str, parts: Collection[str]) -> Reset:
    """Returns what resets parts of a profile and keeps the profile in the case. The name becomes the handle, everything
    else goes. The stream worker deletes the public files of pictures, once it has copied them.

    One consistent BatchGetItem, 1 read unit. Raises `NotFound`.
    """
    key = keys.user_info(person_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        raise NotFound("nobody to reset")
    info = row(UserInfo, raw)
    chosen = tuple(part for part in PARTS if part in parts and _says_something(info, part))
    if not chosen:
        return Reset()
    actions: list[Action] = []
    as_read: list[Condition] = [UserInfo.handle == info.handle]
    for part in chosen:
        attribute: Any = getattr(UserInfo, part)
        actions.append(attribute.set(info.handle) if part == "name" else attribute.remove())
        as_read.append(attribute == getattr(info, part))
    if "bio" in chosen:
        actions.append(UserInfo.mentions.remove())
    kept = profile_evidence(raw, now=utc_now_iso(), withdrawn=chosen)
    changed = Change(UserInfo, key, actions, reduce(and_, as_read), CaseMoved)
    return Reset(chosen, version_of(info), (changed, *kept))


def put_back(case: Case, action: CaseAction) -> list[WriteAction]:
    """Returns what gives a profile back the parts that an action reset, except those that the person has changed since,
    and those that a later reset took again. Pictures get new files.

    One consistent BatchGetItem, 3 read units, and a Query of the person's strikes; for mentions one BatchGetItem more,
    for each picture as `stored_anew`.
    """
    key = keys.user_info(case.person_id)
    kept_key = keys.case_profile(case.kind, case.subject_id, str(action.profile))
    erasure = keys.erasure(case.person_id)  # it has deleted the pictures, and does so once
    found = fetch([key, kept_key, erasure], consistent=True)
    if key not in found or kept_key not in found or erasure in found:
        return []
    info, kept = row(UserInfo, found[key]), row(ProfileEvidence, found[kept_key])
    wanted = set(action.parts or ()) - _taken_again(case, action)
    actions: list[Action] = []
    as_read: list[Condition] = []
    for part in PARTS:
        reset = kept.handle if part == "name" else ""
        if part not in wanted or getattr(info, part) != reset:
            continue
        value = str(getattr(kept, part))
        if part in set(Kind):
            value = stored_anew(case.person_id, Kind(part), value, action_id=action.action_id)
        if not value:
            continue
        attribute: Any = getattr(UserInfo, part)
        actions.append(attribute.set(value))
        as_read.append(attribute == reset if reset else attribute.does_not_exist())
        if part == "bio" and (mentioned := find_mentioned(value)) is not None:
            actions.append(UserInfo.mentions.set(mentioned))
    if not actions:
        return []
    not_erased = Check(erasure, IS_ABSENT, CaseMoved)
    return [Change(UserInfo, key, actions, reduce(and_, as_read), CaseMoved), not_erased]


def _says_something(info: UserInfo, part: str) -> bool:
    """Whether there is anything to reset."""
    value = getattr(info, part)
    return bool(value) and (part != "name" or value != info.handle)


def _taken_again(case: Case, action: CaseAction) -> set[str]:
    """Returns the parts that later resets took, which stand."""
    strikes = query(keys.strikes(case.person_id), forward=False, consistent=True)
    found = (row(Strike, raw) for raw in strikes)
    later = (
        strike
        for strike in found
        if strike.kind == ActionKind.RESET
        and not strike.undone_at
        and strike.action_id > action.action_id
    )
    return {part for strike in later for part in strike.parts}
