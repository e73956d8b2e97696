"""Which app it is, who lets which apps act for them, and who it is that an app acts for."""

from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import NamedTuple, Self

from accounts.access.scopes import allows, in_words
from accounts.grants.models import OWN, App, AppToken
from accounts.people.viewer import VISITOR, Viewer
from accounts.sessions import SignInRow, get_viewer, hash_secret, sign_ins_of, today
from socialsite.table import RawItem, access_pattern, fetch, ids, key_of, keys, query, row


@dataclass(frozen=True, slots=True)
class AppCard:
    """A registered app. `name` is what it calls itself."""

    client_id: str
    secret_hash: str
    name: str
    website: str
    redirects: tuple[str, ...]
    scopes: tuple[str, ...]

    @classmethod
    def from_raw(cls, raw: RawItem) -> Self:
        app = row(App, raw)
        return cls(
            client_id=app.client_id,
            secret_hash=app.secret_hash,
            name=app.name,
            website=app.website or "",
            redirects=tuple(app.redirects),
            scopes=tuple(app.scopes.split()),
        )


@access_pattern
def find_app(client_id: str) -> AppCard | None:
    """Returns an app, None if there is none. BatchGetItem of `app#<id>`, 0.5 read units."""
    key = keys.app(client_id)
    raw = fetch([key]).get(key)
    return AppCard.from_raw(raw) if raw else None


class Secret(NamedTuple):
    """What a token says: whom it acts for, and the hash of its secret."""

    user_id: str
    secret_hash: str

    @classmethod
    def of(cls, token: str) -> Self | None:
        """Returns what a token says, None for what is no token."""
        user_id, _, secret = token.partition(".")
        if not ids.is_id(user_id) or not secret or len(secret) > 100:
            return None
        return cls(user_id, hash_secret(secret))


@dataclass(frozen=True, slots=True)
class Access:
    """An app that acts for someone, and how far. The default is none, which may do nothing."""

    client_id: str = ""
    name: str = ""
    website: str = ""
    secret_hash: str = ""
    scopes: tuple[str, ...] = ()
    was_used_today: bool = True
    ends: datetime | None = None

    @classmethod
    def from_raw(cls, raw: RawItem) -> Self:
        token = row(AppToken, raw)
        return cls(
            client_id=token.client_id,
            name=token.name,
            website=token.website or "",
            secret_hash=token.secret_hash,
            scopes=tuple(token.scopes.split()),
            was_used_today=token.seen == today(),
            ends=_moment(token.ends_at),
        )

    def may(self, scope: str) -> bool:
        return allows(self.scopes, scope)

    @property
    def is_own(self) -> bool:
        """Whether the person made it themselves, for no registered app."""
        return self.client_id == OWN


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


NO_ACCESS = Access()


def get_viewer_of_app(secret: Secret) -> tuple[Viewer, Access]:
    """Returns the person for whom an app acts, and how far it may. A visitor if that has ended. Costs what `get_viewer`
    does for a page: the token is read in place of a sign-in."""
    viewer, _, raw = get_viewer(secret.user_id, secret.secret_hash, by_app=True)
    if raw is None:
        return (viewer if viewer.locked_out else VISITOR), NO_ACCESS
    return viewer, Access.from_raw(raw)


@dataclass(frozen=True, slots=True)
class AppRow:
    """An app in the list of where someone is signed in, or a token of their own (`is_own`), which may have an end, and
    has no day before its first use."""

    secret_hash: str
    name: str
    made: date
    seen: date | None
    may: list[str]
    is_own: bool = False
    ends: datetime | None = None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Where someone is signed in."""

    browsers: list[SignInRow]
    apps: list[AppRow]


MOST_READ = 200


@access_pattern
def list_signed_in(viewer: Viewer) -> SignedIn:
    """Returns at most 50 of the viewer's own sign-ins: this browser's first, then the most recently used; and the apps
    that act for them, the last used first.

    One consistent Query of `u#<id>#session`: 1 read unit for each 10 or so, at most 200 read.
    """
    found = query(keys.sign_ins(viewer.user_id), limit=MOST_READ, consistent=True)
    raws = list(islice(found, MOST_READ))
    browsers = [raw for raw in raws if keys.is_sign_in(key_of(raw))]
    apps = [_row(raw) for raw in raws if not keys.is_sign_in(key_of(raw))]
    apps.sort(key=lambda one: one.seen or one.made, reverse=True)
    return SignedIn(sign_ins_of(browsers, viewer), apps)


def _row(raw: RawItem) -> AppRow:
    token = row(AppToken, raw)
    return AppRow(
        secret_hash=token.secret_hash,
        name=token.name,
        made=datetime.fromisoformat(token.made).date(),
        seen=date.fromisoformat(token.seen) if token.seen else None,
        may=in_words(token.scopes.split()),
        is_own=token.client_id == OWN,
        ends=_moment(token.ends_at),
    )
