"""Sessions: a `SignIn` item per browser, its secret in the signed cookie. Signing out: in this
browser, in another, in all others, or everywhere because the credentials have changed.

All sign-ins of an account have its epoch, a number that goes up whenever all earlier sign-ins end. It stands in
Credentials, where it is read together with the password. UserSettings and each SignIn hold a copy, as every page
reads these two anyway. So a sign-in with the old password that is written a moment after the change of password is
refused, and would be over even if it were not.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.conf import settings
from django.utils.translation import gettext
from pynamodb.expressions.condition import Condition

from accounts.credentials.passwords import WrongPassword
from accounts.models import CAME_BACK, Credentials, SignIn, UserSettings
from accounts.notices import NEW_SIGN_IN
from accounts.people.cards import PersonCard
from accounts.people.reads import Holder, holder_of
from accounts.people.viewer import VISITOR, Viewer, Waiting, circles_of, home_lists_of
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Create,
    Delete,
    Erase,
    Key,
    NotFound,
    RawItem,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    ids,
    key_of,
    keys,
    query,
    row,
    transact,
    write_batch,
)
from socialsite.telling import Cause, tell


def is_of_epoch(sign_in: RawItem, settings: RawItem) -> bool:
    """Whether a raw SignIn belongs to the present epoch, which the raw UserSettings hold."""
    return row(SignIn, sign_in).epoch == row(UserSettings, settings).epoch


def in_epoch(model: type[Credentials] | type[UserSettings], epoch: int) -> Condition:
    """Returns the condition that the account is still in this epoch. Accounts begin in epoch 0, which is not
    written."""
    return model.epoch == epoch if epoch else model.epoch.does_not_exist()


@access_pattern
def get_viewer(
    user_id: str,
    secret_hash: str,
    *,
    handle: str = "",
    beside: Collection[Key] = (),
    by_app: bool = False,
) -> tuple[Viewer, Holder, RawItem | None]:
    """Returns the viewer and, for pages under `/@handle`, the person whose page it is. `by_app`: the secret is that of
    an app's token, which proves nothing and has no sign-in to change.

    Reads `u#<id>` `info`, `settings` and `bell`, `u#<id>#session` `s#<hash>`, the handle's claim and the keys `beside`
    in one BatchGetItem: 0.5 read units a key. On most pages 2.5 read units. The viewer is a visitor if the sign-in was
    revoked, expired or begun before the account's last change of password. The holder says whether the handle is a
    former one of theirs. The third value is the raw `SignIn`, or `AppToken`.
    """
    sign_in_key = (keys.app_token if by_app else keys.sign_in)(user_id, secret_hash)
    secret_hash, token_hash = ("", secret_hash) if by_app else (secret_hash, "")
    info_key = keys.user_info(user_id)
    claim_key = keys.handle_claim(handle)
    settings_key, bell_key = keys.user_settings(user_id), keys.bell(user_id)
    wanted = [info_key, settings_key, bell_key, sign_in_key, *beside] if user_id else []
    found = fetch([*wanted, claim_key] if handle else wanted)
    holder = holder_of(found.get(claim_key))
    info, sign_in = found.get(info_key), found.get(sign_in_key)
    kept = found.get(settings_key, {})
    if info is None or sign_in is None or not is_of_epoch(sign_in, kept):
        return VISITOR, holder, None
    card = PersonCard.from_raw(info, viewer_id=user_id)
    own, signed_in = row(UserSettings, kept), row(SignIn, sign_in)
    if card.is_locked_out:
        locked_out = Viewer(
            secret_hash=secret_hash,
            locked_out=card,
            proved_at=signed_in.proved_at,
            proved_with=signed_in.proved_with,
        )
        return locked_out, holder, None
    viewer = Viewer(
        user_id,
        secret_hash,
        card,
        tuple(own.pulled),
        own.merged,
        tuple(own.hidden),
        has_notice=bool(own.notice),
        proved_at=signed_in.proved_at,
        proved_with=signed_in.proved_with,
        circles=circles_of(kept),
        folder_names=tuple((own.folders or {}).items()),
        waiting=Waiting.from_raw(found.get(bell_key, {})),
        opted_out=tuple(own.opted_out),
        without_reposts=tuple(own.without_reposts),
        muted_version=own.muted_version,
        not_home=frozenset(one[-ids.LENGTH :] for one in own.not_home),
        home_lists=home_lists_of(kept),
        is_confirmed=not own.unconfirmed,
        letters_come_back=own.unconfirmed == CAME_BACK,
        letters=own.letters or {},
        token_hash=token_hash,
        beside={key: found.get(key) for key in beside},
    )
    return viewer, holder, sign_in


@access_pattern
def read_signed_in(
    user_id: str, secret_hash: str, *, beside: Collection[Key] = ()
) -> dict[Key, RawItem] | None:
    """Returns the items at `beside` that are there, None unless pages would take this sign-in for that of someone who
    is not locked out. For what is asked for in great numbers and needs no more of its viewer: pictures.

    BatchGetItem `u#<id>` `info` and `settings`, `u#<id>#session` `s#<hash>` and the keys: 0.5 read units each. In all
    1.5 read units.
    """
    info_key, settings_key = keys.user_info(user_id), keys.user_settings(user_id)
    sign_in_key = keys.sign_in(user_id, secret_hash)
    found = fetch([info_key, settings_key, sign_in_key, *beside])
    if info_key not in found or sign_in_key not in found:
        return None
    if not is_of_epoch(found[sign_in_key], found.get(settings_key, {})):
        return None
    if PersonCard.from_raw(found[info_key]).is_locked_out:
        return None
    return {key: found[key] for key in beside if key in found}


MOST_SHOWN = 50

# The first match counts: most browsers also name those that they descend from.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "Chromium/": "Chromium",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class SignInRow:
    secret_hash: str
    browser: str
    seen: date
    is_here: bool


def sign_ins_of(raws: Iterable[RawItem], viewer: Viewer) -> list[SignInRow]:
    """Returns at most 50 of these raw `SignIn`s of the viewer: this browser's first, then the most recently used."""
    rows = [
        SignInRow(
            secret_hash=sign_in.secret_hash,
            browser=browser_name(sign_in.browser),
            seen=date.fromisoformat(sign_in.seen),
            is_here=sign_in.secret_hash == viewer.secret_hash,
        )
        for sign_in in (row(SignIn, raw) for raw in raws)
    ]
    rows.sort(key=lambda one: (one.is_here, one.seen), reverse=True)
    return rows[:MOST_SHOWN]


def browser_name(user_agent: str) -> str:
    """Returns a name such as "Firefox on Linux". Unknown parts are called unknown."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("Unknown browser")


BROWSER_MAX_LENGTH = 200


@access_pattern
def keep_signed_in(*, by: Viewer) -> None:
    """Notes that the person used this browser today, at most once a day for each browser.

    One TransactWriteItems of two items, 4 write units. If the person was away for long, the stream worker then rebuilds
    their timeline.
    """
    transact(
        Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), [SignIn.seen.set(today())]),
        Change(UserSettings, keys.user_settings(by.user_id), [UserSettings.seen.set(today())]),
    )


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def today() -> str:
    return date.isoformat(utc_now().date())


def this_moment() -> str:
    return utc_now().isoformat(timespec="seconds")


def new_sign_in(user_id: str, secret: str, *, browser: str, epoch: int) -> SignIn:
    return SignIn.new(
        user_id=user_id,
        secret_hash=hash_secret(secret),
        browser=browser[:BROWSER_MAX_LENGTH],
        seen=today(),
        ttl=utc_now() + timedelta(days=settings.SIGN_IN_DAYS),
        epoch=epoch,
    )


def seen_today(user_id: str, epoch: int, *, otherwise: type[TableError] = WrongPassword) -> Change:
    """Returns the action that notes the day in the transaction of a sign-in, which raises `otherwise` if the account
    has left the epoch."""
    return Change(
        UserSettings,
        keys.user_settings(user_id),
        [UserSettings.seen.set(today())],
        condition=in_epoch(UserSettings, epoch),
        otherwise=otherwise,
    )


def told_of_browser(started: SignIn, network: str) -> list[WriteAction]:
    """Returns what posts the letter about an unknown browser, if it is unknown."""
    facts = {"browser": started.browser, "network": network}
    return tell(started.user_id, NEW_SIGN_IN, Cause(facts=facts)).actions() if network else []


MOST_AT_ONCE = 85  # sign-ins that the transaction deletes, of the 100 actions that it may have


@access_pattern
def sign_out(*, by: Viewer) -> None:
    """Ends this sign-in at once, whatever the cookie says. Safe to repeat. One TransactWriteItems, 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.account_id, by.secret_hash)))
    except NotFound:
        return
    note_event(Event.SIGNED_OUT, account=by.account_id)


@access_pattern
def end_sign_in(*, by: Viewer, secret_hash: str) -> None:
    """Ends one of the person's own sign-ins, from that browser's next request on. Safe to repeat. One
    TransactWriteItems, 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.user_id, secret_hash)))
    except NotFound:
        return
    note_event(Event.SIGN_INS_ENDED, account=by.user_id, count=1)


@access_pattern
def end_other_sign_ins(*, by: Viewer) -> int:
    """Ends every sign-in of the person except this one, those of apps too, and returns how many, as `end_sign_ins_with`
    does. One consistent Query, 1 read unit for 10 sign-ins, and one TransactWriteItems, 6 write units and 2 for each;
    beyond 90 of them the rest go a moment later."""
    here = Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), [])
    return end_sign_ins_with(unchanged(by.user_id), user_id=by.user_id, kept=here)


def unchanged(user_id: str) -> Change:
    """Returns a change of someone's Credentials that begins a new epoch, and nothing else."""
    return Change(Credentials, keys.credentials(user_id), [])


def end_sign_ins_with(
    credentials: Change,
    *,
    user_id: str,
    kept: Change | Create | None = None,
    epoch: int | None = None,
    and_also: Sequence[WriteAction] = (),
) -> int:
    """Makes this change of someone's Credentials, and ends all their sign-ins with it, those of apps too, but for
    `kept`: a new one, or one that changes. `and_also` happens with it or not at all. Returns how many have ended.
    Raises `WrongPassword` if the account has left the `epoch`, if given.

    One consistent Query of the sign-ins, 1 read unit for each 10 or so. One TransactWriteItems: 4 write units for
    Credentials and UserSettings, 2 for each sign-in. From the 86th on they are deleted afterwards; the new epoch has
    ended them by then.
    """
    here = _credentials_key_of(kept)
    ended = [key for key in _sign_in_keys(user_id) if key != here]
    most = min(MOST_AT_ONCE, 96 - len(and_also))
    transact(
        replace(credentials, actions=[*credentials.actions, Credentials.epoch.add(1)]),
        Change(
            UserSettings,
            keys.user_settings(user_id),
            [UserSettings.epoch.add(1)],
            condition=None if epoch is None else in_epoch(UserSettings, epoch),
            otherwise=NotFound if epoch is None else WrongPassword,
        ),
        *_in_new_epoch(kept),
        *and_also,
        *map(Erase, ended[:most]),
    )
    write_batch(deletes=ended[most:])
    note_event(Event.SIGN_INS_ENDED, account=user_id, count=len(ended))
    return len(ended)


def _credentials_key_of(kept: Change | Create | None) -> keys.Key | None:
    if isinstance(kept, Create):
        return kept.item.key
    return kept.key if kept else None


def _in_new_epoch(kept: Change | Create | None) -> list[WriteAction]:
    if isinstance(kept, Change):
        return [replace(kept, actions=[*kept.actions, SignIn.epoch.add(1)])]
    return [kept] if kept else []


def _sign_in_keys(user_id: str) -> list[keys.Key]:
    """Returns the keys of all browsers and apps."""
    return [key_of(raw) for raw in query(keys.sign_ins(user_id), consistent=True)]
