"""Reads about people: pattern 1 of the published design, whose a handle or an email address is, who acts without a
browser, and whom a text mentions.

A handle is of the person who has it, or who had it until lately. One that was given up stays with its person for 90
days, as a *former* one. Its claim then expires, and counts as missing. A claim of an erased person is former too, and
leads to nobody. `UserSettings` lists former handles, each with the moment of the change, for their owner and for
moderators; the claims are what counts. People mentioned in a text are found once, when it is written, so that showing
it costs nothing. The keys are in `socialsite/table/keys/`; all patterns with their measured cost in
`docs/access-patterns.md`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from the_big_username_blacklist import get_blacklist

from accounts.models import EmailClaim, HandleClaim, UserInfo, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer, circles_of
from socialsite.clock import utc_now
from socialsite.table import (
    AlreadyExists,
    NotFound,
    RawItem,
    access_pattern,
    fetch,
    keys,
    query,
    reading,
    row,
)
from socialsite.texts import mentioned_handles


@access_pattern
def get_user_info(
    user_id: str, *, viewer: Viewer = VISITOR, consistent: bool = False
) -> PersonCard:
    """Pattern 1, getUserInfoByUserID: returns a person's info and counts, even if others may not see them
    (`get_person`).

    Query `PK = u#<id>`: both items in one call, 0.5 read units, 1 if consistent. Raises `NotFound`.
    """
    items = {raw["SK"]["S"]: raw for raw in query(keys.user(user_id), consistent=consistent)}
    info, count = items.get(keys.user_info("").sk), items.get(keys.user_count("").sk)
    if info is None or count is None:
        raise NotFound("no such person")
    return PersonCard.from_raw(info, viewer_id=viewer.user_id).with_counts(count)


@access_pattern
def find_user_by_email(email_hmacs: Sequence[str], *, consistent: bool = False) -> str:
    """Returns the account that confirmed this email address, found by its hash under each key. Raises `NotFound`, also
    for an address that is only kept for its owner after a change (`EmailClaim`).

    BatchGetItem `email#<hmac>`, 0.5 read units a key, 1 if consistent.
    """
    claims = [keys.email_claim(hmac) for hmac in email_hmacs]
    for raw in fetch(claims, consistent=consistent).values():
        claim = row(EmailClaim, raw)
        if claim.user_id and claim.ttl is None:
            return str(claim.user_id)
    raise NotFound("no account with this e-mail address")


@access_pattern
def find_user_by_handle(handle: str, *, or_former: bool = False) -> str:
    """Returns the person with this handle, or with `or_former` also the person who gave it up in the last 90 days.
    GetItem `handle#<handle>`, 0.5 read units. Raises `NotFound`."""
    claim = reading.get(HandleClaim, keys.handle_claim(handle))
    if not claim.user_id or (claim.former and not or_former):
        raise NotFound("no HandleClaim that leads to anybody")
    return str(claim.user_id)


class Holder(NamedTuple):
    """The person whom a handle leads to. `user_id` is empty if it leads to nobody."""

    user_id: str = ""
    is_former: bool = False


NOBODY = Holder()


def holder_of(claim: RawItem | None) -> Holder:
    """Reads a raw `HandleClaim`. An expired one is missing: `fetch` leaves it out."""
    if claim is None:
        return NOBODY
    found = row(HandleClaim, claim)
    return Holder(found.user_id, is_former=bool(found.former))


@access_pattern
def is_handle_free(handle: str, *, to: str = "") -> bool:
    """Whether a new person can have the handle, or the person `to`, who can also take their own former one back.
    GetItem `handle#<handle>`, 0.5 read units."""
    with suppress(NotFound):
        claimed_by = reading.get(HandleClaim, keys.handle_claim(handle)).user_id
        return bool(to) and claimed_by == to
    return True


@access_pattern
def get_handle(user_id: str) -> str:
    """Returns the present handle of a person, when the address of a page has a former one. GetItem `u#<id>` `info`, 0.5
    read units. Raises `NotFound`."""
    return reading.get(UserInfo, keys.user_info(user_id)).handle


@access_pattern
def read_actor(user_id: str) -> Viewer | None:
    """Returns a person who acts without a browser, as they stand at this moment, with their circles; None once they are
    erased. People who are locked out are returned too: their card says so. One consistent BatchGetItem of two keys, 2
    read units."""
    info, settings = keys.user_info(user_id), keys.user_settings(user_id)
    found = fetch([info, settings], consistent=True)
    if info not in found:
        return None
    kept = found.get(settings, {})
    return Viewer(
        user_id,
        card=PersonCard.from_raw(found[info], viewer_id=user_id),
        circles=circles_of(kept),
        is_confirmed=not row(UserSettings, kept).unconfirmed,
    )


class HandleTaken(AlreadyExists):
    """Someone has this handle."""


KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class FormerHandle:
    handle: str
    given_up: datetime

    @property
    def until(self) -> datetime:
        return self.given_up + KEPT


@access_pattern
def get_own_handles(*, by: Viewer) -> tuple[str, list[FormerHandle]]:
    """Returns the viewer's present handle, and their former ones. BatchGetItem of `u#<id>` `info` and `settings`,
    consistent: 2 read units. Raises `NotFound`."""
    info_key, settings_key = keys.user_info(by.user_id), keys.user_settings(by.user_id)
    found = fetch([info_key, settings_key], consistent=True)
    if info_key not in found:
        raise NotFound("no such person")
    kept = row(UserSettings, found.get(settings_key, {}))
    return row(UserInfo, found[info_key]).handle, former_handles(kept)


def former_handles(settings: UserSettings) -> list[FormerHandle]:
    """Returns what the settings list and is still theirs, the newest first."""
    listed: Mapping[str, str] = settings.former_handles or {}
    found = [FormerHandle(handle, datetime.fromisoformat(at)) for handle, at in listed.items()]
    now = utc_now()
    return sorted((one for one in found if one.until > now), key=lambda one: one.given_up)[::-1]


OURS = {
    "about", "admin", "admins", "all", "api", "bookmarks", "circles", "everyone", "explore", "followers",
    "following", "friends", "healthz", "help", "here", "home", "likes", "lists", "local", "login", "logout", "media",
    "messages", "mod", "moderation", "moderator", "moderators", "new", "notifications", "official", "posts",
    "privacy", "readyz", "requests", "root", "rules", "search", "security", "settings", "signup", "site",
    "socialsite", "staff", "static", "support", "system", "tags", "team", "transparency",
}  # fmt: skip


def is_reserved(handle: str) -> bool:
    return handle in _reserved()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(OURS | {name.replace("-", "_").lower() for name in get_blacklist()})


MOST_MENTIONS = 10  # of a text; what stands after them is plain text


@access_pattern
def find_mentioned(text: str) -> dict[str, str] | None:
    """Returns the ids of the people mentioned in a text, by handle; None if it mentions no handle at all. A former
    handle still means its person.

    One BatchGetItem of at most 10 claims, 0.5 read units each; nothing is read for a text without mentions.
    """
    handles = mentioned_handles(text)[:MOST_MENTIONS]
    if not handles:
        return None
    found = fetch([keys.handle_claim(handle) for handle in handles])
    holders = {handle: holder_of(found.get(keys.handle_claim(handle))) for handle in handles}
    return {handle: holder.user_id for handle, holder in holders.items() if holder.user_id}
