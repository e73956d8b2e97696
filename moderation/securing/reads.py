"""What the pages about a secured account show: its posts of the last hours, to staff; what is hidden, to its owner."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, islice, takewhile

from accounts.models import UserCount
from accounts.people.cards import PersonCard, moment_text
from feed.cards.post_card import post_url
from feed.polls.models import said_by
from feed.posts.models import Post, Withheld
from feed.posts.reads import is_for_some
from moderation.models import Secured
from socialsite.clock import utc_now
from socialsite.table import (
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
from socialsite.texts import shortened
from socialsite.web.preferences import ago

HOURS = (1, 6, 24, 72)
MOST_SHOWN = 100  # posts
MOST_LOOKED_AT = 50_000
SAMPLE_LENGTH = 140  # characters


@dataclass(frozen=True, slots=True)
class PostRow:
    """A post to choose. `text` is empty for one that is not for everyone: staff do not read it here."""

    post_id: str
    text: str
    url: str
    iso: str
    ago: str


@access_pattern
def get_account(user_id: str) -> PersonCard:
    """Returns the person as they are now, whether or not others see them. One consistent BatchGetItem, 1 read unit.
    Raises `NotFound`."""
    key = keys.user_info(user_id)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        raise NotFound("nobody")
    return PersonCard.from_raw(raw)


@access_pattern
def list_latest_posts(person: PersonCard, *, hours: int) -> list[PostRow]:
    """Returns what someone published in the last hours and others can see, newest first, at most 100, and after
    that what was brought from elsewhere in these hours, whatever its date. Reposts are left alone.

    One Query of `u#<id>#post`, 0.5 read units per 4 KB, and a GetItem of the counts, 0.5. For those who have brought
    posts the Query goes through all of them, at most 50,000.
    """
    since = utc_now() - timedelta(hours=hours)
    mine = keys.posts(person.user_id)
    latest = takewhile(
        lambda raw: _moment(raw) >= since, query(mine, forward=False, limit=MOST_SHOWN)
    )
    found = islice(chain(filter(_is_shown, latest), _brought(person, since)), MOST_SHOWN)
    return [_row(raw, person, hides=True) for raw in found]


def _brought(person: PersonCard, since: datetime) -> Iterator[RawItem]:
    key = keys.user_count(person.user_id)
    if not row(UserCount, fetch([key]).get(key, {})).imported:
        return
    for raw in islice(query(keys.posts(person.user_id), forward=False), MOST_LOOKED_AT):
        came = raw.get("imported_at", {}).get("S", "")
        if came >= since.isoformat() and _moment(raw) < since and _is_shown(raw):
            yield raw


def _is_shown(raw: RawItem) -> bool:
    return raw["type"]["S"] == Post.__name__ and "withheld" not in raw


def _moment(raw: RawItem) -> datetime:
    return ids.time_of(raw["SK"]["S"].rpartition("#")[2])


def _row(raw: RawItem, person: PersonCard, *, hides: bool) -> PostRow:
    post = row(Post, raw)
    is_read = not (hides and is_for_some(raw, person))
    at = ids.time_of(post.post_id)
    return PostRow(
        post_id=post.post_id,
        text=shortened(said_by(post), SAMPLE_LENGTH) if is_read else "",
        url=post_url(person.handle, post.post_id),
        iso=at.isoformat(timespec="seconds"),
        ago=ago(at),
    )


@dataclass(frozen=True, slots=True)
class SecuredCard:
    """One time that staff secured the account, with the posts that are hidden for it."""

    secured_id: str
    iso: str
    posts: tuple[PostRow, ...]

    @property
    def when(self) -> str:
        return moment_text(self.iso)


MOST_READ = 20


def read_secured(user_id: str) -> list[Secured]:
    """Returns the last 20 times that staff secured an account and did not take it back, newest first. One consistent
    Query of `u#<id>#secured`, 1 read unit per 4 KB."""
    rows = query(keys.all_secured(user_id), forward=False, consistent=True, limit=MOST_READ)
    found = (as_model(Secured, raw) for raw in islice(rows, MOST_READ))
    return [one for one in found if not one.undone_at]


@access_pattern
def list_secured(person: PersonCard) -> list[SecuredCard]:
    """Returns what staff did to secure someone's own account, newest first, with the posts that are still hidden for
    it, without those that a moderator has decided about since. As `read_secured`, and one BatchGetItem of the
    posts, 0.5 read units each."""
    all_of_them = read_secured(person.user_id)
    wanted = [keys.post(person.user_id, one) for one in sorted(_hidden_in(all_of_them))]
    found = fetch(wanted) if wanted else {}
    hidden = {key for key, raw in found.items() if row(Post, raw).withheld == Withheld.SECURED}
    cards = []
    for one in all_of_them:
        posts = [keys.post(person.user_id, post_id) for post_id in sorted(one.posts or ())]
        rows = tuple(_row(found[key], person, hides=False) for key in posts[::-1] if key in hidden)
        at = ids.time_of(one.secured_id)
        cards.append(SecuredCard(one.secured_id, at.isoformat(timespec="seconds"), rows))
    return cards


def _hidden_in(secured: Collection[Secured]) -> Iterator[str]:
    for one in secured:
        yield from one.posts or ()
