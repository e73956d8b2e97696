"""Registering an app, allowing it to act, giving it the token for the code, using and ending that."""

import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from accounts.access.reads import Access, AppCard
from accounts.grants.models import App, AppCode, AppToken
from accounts.models import UserSettings
from accounts.notices import APP_ALLOWED
from accounts.people.viewer import Viewer
from accounts.sessions import hash_secret, is_of_epoch, seen_today, this_moment, today
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Create,
    Delete,
    NotFound,
    TableError,
    access_pattern,
    as_model,
    change,
    create,
    fetch,
    keys,
    row,
    transact,
)
from socialsite.telling import tell

UNUSED_APP = timedelta(days=30)
USED_APP = timedelta(days=210)  # longer than any token of it, which goes on with it
KEPT_WITHOUT_USE = timedelta(days=180)  # of a token
CODE_LASTS = timedelta(minutes=10)


class CodeGone(TableError):
    """The code was used, has expired, or what it was allowed by has ended since."""


class SignInEnded(TableError):
    """The sign-in that allows this has ended meanwhile."""


@access_pattern
def register_app(
    *, name: str, website: str, redirects: Collection[str], scopes: Collection[str]
) -> tuple[AppCard, str]:
    """Registers an app and returns it with its secret, which is told once. One PutItem, 1 write unit."""
    client_id, secret = secrets.token_urlsafe(24), secrets.token_urlsafe(32)
    app = App.new(
        client_id=client_id,
        secret_hash=hash_secret(secret),
        name=name,
        website=website,
        redirects=redirects,
        scopes=" ".join(scopes),
        ttl=utc_now() + UNUSED_APP,
    )
    create(app)
    card = AppCard(client_id, app.secret_hash, name, website, tuple(redirects), tuple(scopes))
    return card, secret


@access_pattern
def allow_app(
    *, by: Viewer, app: AppCard, code: str, redirect: str, scopes: str, challenge: str
) -> None:
    """Lets an app fetch a token of the person with this code, once, within ten minutes. Raises `SignInEnded`: the page
    may have been asked by a sign-in that another password has just ended, and its code would be of the time after.

    One consistent BatchGetItem of UserSettings and this sign-in, 2 read units, and one PutItem, 1 write unit.
    """
    key, here = keys.user_settings(by.user_id), keys.sign_in(by.user_id, by.secret_hash)
    found = fetch([key, here], consistent=True)
    if here not in found or not is_of_epoch(found[here], found.get(key, {})):
        raise SignInEnded
    epoch = int(row(UserSettings, found.get(key, {})).epoch)
    create(
        AppCode.new(
            code_hash=hash_secret(code),
            user_id=by.user_id,
            client_id=app.client_id,
            name=app.name,
            website=app.website,
            redirect=redirect,
            scopes=scopes,
            challenge=challenge,
            epoch=epoch,
            ttl=utc_now() + CODE_LASTS,
        )
    )


@access_pattern
def find_code(code: str) -> AppCode | None:
    """Returns what a code stands for, None if there is none or it has expired. It may be used already. One consistent
    BatchGetItem, 1 read unit."""
    key = keys.app_code(hash_secret(code))
    raw = fetch([key], consistent=True).get(key)
    return as_model(AppCode, raw) if raw else None


@access_pattern
def begin_access(code: AppCode, *, token_secret: str) -> None:
    """Uses a code up, and lets the app act with this secret. Raises `CodeGone`, also if all sign-ins of the account
    have ended since. Where the code was used before, what it gave then ends.

    One TransactWriteItems of code, AppToken, UserSettings and the letter that tells of it, 8 write units, and one
    UpdateItem of the app, 1 write unit. In all 9 write units; 2 to end what was given before.
    """
    if code.token_hash:
        end_access(user_id=code.user_id, secret_hash=code.token_hash)
        raise CodeGone("used")
    started = AppToken.new(
        code,
        secret_hash=hash_secret(token_secret),
        made=this_moment(),
        seen=today(),
        ttl=utc_now() + KEPT_WITHOUT_USE,
    )
    transact(
        Change(
            AppCode,
            code.key,
            [AppCode.token_hash.set(started.secret_hash)],
            condition=AppCode.token_hash.does_not_exist(),
            otherwise=CodeGone,
        ),
        Create(started),
        seen_today(code.user_id, int(code.epoch or 0), otherwise=CodeGone),
        *tell(code.user_id, APP_ALLOWED).actions(),
    )
    _keep_app(code.client_id)
    note_event(Event.APP_ALLOWED, account=code.user_id)


@access_pattern
def keep_access(*, by: Viewer, access: Access) -> None:
    """Notes that an app acted for the person today, at most once a day for each app; then both stay. Does nothing if
    the access has just ended.

    One TransactWriteItems of two items, 4 write units, and one UpdateItem of the app, 1 write unit, if it is one. In
    all 5 write units.
    """
    day, end = today(), lasts_until(access.ends)
    key = keys.app_token(by.user_id, access.secret_hash)
    with suppress(NotFound):
        transact(
            Change(AppToken, key, [AppToken.seen.set(day), AppToken.ttl.set(end)]),
            Change(UserSettings, keys.user_settings(by.user_id), [UserSettings.seen.set(day)]),
        )
        if not access.is_own:
            _keep_app(access.client_id)


def lasts_until(ends: datetime | None) -> datetime:
    """Returns until when a token is kept that is used now, and has an end."""
    unused = utc_now() + KEPT_WITHOUT_USE
    return min(unused, ends) if ends else unused


def _keep_app(client_id: str) -> None:
    """Lets an app stay that someone uses. It is written once a month, and apart: many people use one app."""
    now = utc_now()
    with suppress(NotFound):
        change(
            App,
            keys.app(client_id),
            [App.ttl.set(now + USED_APP)],
            condition=App.ttl < now + USED_APP - timedelta(days=29),
        )


@access_pattern
def end_access(*, user_id: str, secret_hash: str, client_id: str = "") -> None:
    """Ends what an app may do for a person: as they say, or as the app does, which says its own id. Safe to repeat. One
    TransactWriteItems, 2 write units."""
    theirs = AppToken.client_id == client_id if client_id else None
    try:
        transact(Delete(keys.app_token(user_id, secret_hash), theirs))
    except NotFound:
        return
    note_event(Event.APP_ENDED, account=user_id)
