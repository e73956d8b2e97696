"""Push for apps: the subscription of an app hangs on its token and ends with it. Its words are those that apps of
Mastodon read. They hold the app's own token, by which it finds out for which account a push is: so it lies sealed
beside the address.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.templatetags.static import static
from django.utils.translation import override

from accounts.access.reads import Access
from accounts.credentials.reencrypt import key_to_seal
from accounts.encryption.person_keys import keys_to_open, open_found
from accounts.grants.models import AppToken
from accounts.models import Bell
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from accounts.sessions import today
from feed.notices import LIKE, MENTION, POLL_ENDED, POSTED, QUOTE, REPLY, REPOST
from notifications.cards import NotificationCard
from notifications.models import PushSubscription, PushWork
from notifications.push.encryption import BrowserKeys
from notifications.push.reads import Addressee, Device, get_host, public_key_of
from notifications.push.services import service_of
from notifications.push.words import Said, newest_line
from notifications.push.writes import (
    APP,
    DEVICE,
    SEALED,
    devices_that_go,
    named_in_bell,
    remove_device,
)
from relations.notices import FOLLOW, FOLLOW_REQUEST
from socialsite.clock import utc_now
from socialsite.engine.program import EngineError
from socialsite.process_state import KeptCopy
from socialsite.table import (
    ALWAYS,
    Change,
    Moved,
    NotFound,
    Put,
    TableError,
    Upsert,
    access_pattern,
    change,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.telling import Kind, kind_of

# The words of apps for what the inbox tells. Of anything else they know none: it stands on the site alone.
TYPES: dict[Kind, str] = {
    LIKE: "favourite",
    REPOST: "reblog",
    REPLY: "mention",
    MENTION: "mention",
    QUOTE: "mention",
    POSTED: "status",
    POLL_ENDED: "poll",
    FOLLOW: "follow",
    FOLLOW_REQUEST: "follow_request",
}
ALERTS = tuple(dict.fromkeys(TYPES.values()))
POLICIES = ("all", "followed", "follower", "none")
KEPT = timedelta(days=5 * 365)  # it ends with its token, long before
KEY_KEPT = 60.0  # seconds
LOGO = "icons/icon-192.png"


def type_of_group(group: str) -> str:
    """Returns the word for a group of a bell, empty if there is none."""
    kind = kind_of(group[0])
    return next((word for one, word in TYPES.items() if one is kind), "")


def site_public_key() -> str:
    """Returns the key that apps subscribe with, empty on a site that sends no push. A copy that is a minute old at
    most: 1 read unit."""
    try:
        return _public_key.get()
    except (TableError, EngineError, OSError):
        return ""


_public_key = KeptCopy(lambda: public_key_of(get_host()), seconds=lambda: KEY_KEPT)


class Wanted(NamedTuple):
    """Of what an app is pushed to, and by whom it must have been done."""

    alerts: Collection[str]
    policy: str


@dataclass(frozen=True, slots=True)
class AppSubscription:
    device: str
    endpoint: str
    wanted: Wanted


def device_of_app(endpoint: str, secret_hash: str) -> str:
    hashed = hashlib.sha256(f"{secret_hash} {endpoint}".encode()).hexdigest()
    return f"{APP}{hashed[:DEVICE]}"


@access_pattern
def subscribe_app(
    *,
    by: Viewer,
    access: Access,
    token: str,
    endpoint: str,
    p256dh: str,
    auth: str,
    wanted: Wanted,
    key_id: str,
    language: str,
) -> AppSubscription:
    """Has an app pushed to, for as long as its token lives, in place of what it asked for before. Safe to repeat.
    Raises `UnknownService`, `BadKeys`, and `NotFound` if the token has ended meanwhile.

    One consistent Query of the devices and one consistent BatchGetItem of the AppToken, 1.5 to 3 read units, and 0.5
    for the person's key. One TransactWriteItems of subscription, bell and token, with a check of the key: 8 write
    units, and 2 for a device that goes.
    """
    service = service_of(endpoint)
    BrowserKeys.from_text(p256dh, auth)
    device, key = device_of_app(endpoint, access.secret_hash), key_to_seal(by.user_id)
    place = keys.push_subscription(by.user_id, device)
    given = {"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "token": token}
    new = PushSubscription.new(
        user_id=by.user_id,
        device=device,
        sealed=key.seal(json.dumps(given), key=place, attribute=SEALED),
        service=service.name,
        session=access.secret_hash,
        key_id=key_id,
        browser="",
        language=language,
        made=today(),
        ttl=utc_now() + KEPT,
    )
    new.app, new.alerts, new.policy = access.name, " ".join(sorted(wanted.alerts)), wanted.policy

    def attempt() -> None:
        before = _device_of(by, access)
        for gone in devices_that_go(by.user_id, device, before):
            remove_device(user_id=by.user_id, device=gone)
        here = AppToken.push_device == before if before else AppToken.push_device.does_not_exist()
        transact(
            Put(new),
            Upsert(Bell, keys.bell(by.user_id), named_in_bell(by.user_id, device), ALWAYS, Moved),
            Change(
                AppToken,
                keys.app_token(by.user_id, access.secret_hash),
                [AppToken.push_device.set(device)],
                condition=here,
                otherwise=Moved,
            ),
            key.check(),
        )

    write_optimistically(attempt)
    return AppSubscription(device, endpoint, wanted)


def _device_of(by: Viewer, access: Access) -> str:
    key = keys.app_token(by.user_id, access.secret_hash)
    raw = fetch([key], consistent=True).get(key)
    if raw is None:
        raise NotFound("ended meanwhile")
    return row(AppToken, raw).push_device or ""


@access_pattern
def get_app_subscription(viewer: Viewer, access: Access) -> AppSubscription:
    """Returns what an app asked for. Raises `NotFound`. Two BatchGetItems, the first consistent, of the AppToken and of
    the subscription: 1.5 read units, and 0.5 for the person's key."""
    device = _device_of(viewer, access)
    key = keys.push_subscription(viewer.user_id, device)
    found = fetch([key, *keys_to_open([viewer.user_id])]) if device else {}
    opened = open_found([viewer.user_id], found).get(viewer.user_id)
    if key not in found or opened is None:
        raise NotFound("no subscription")
    one = row(PushSubscription, found[key])
    try:
        given = json.loads(opened.unseal(one.sealed, key=key, attribute=SEALED))
    except InvalidTag as error:
        raise NotFound("sealed with another key") from error
    return AppSubscription(device, given["endpoint"], _wanted_by(one))


def _wanted_by(one: PushSubscription) -> Wanted:
    return Wanted(tuple((one.alerts or "").split()), one.policy or POLICIES[0])


@access_pattern
def change_app_subscription(*, by: Viewer, access: Access, wanted: Wanted) -> AppSubscription:
    """Changes of what an app is pushed to. Safe to repeat. Raises `NotFound`. What `get_app_subscription` reads, and
    one UpdateItem, 1 write unit."""
    before = get_app_subscription(by, access)
    key = keys.push_subscription(by.user_id, before.device)
    chosen = [
        PushSubscription.alerts.set(" ".join(sorted(wanted.alerts))),
        PushSubscription.policy.set(wanted.policy),
    ]
    change(PushSubscription, key, chosen)
    return AppSubscription(before.device, before.endpoint, wanted)


@access_pattern
def unsubscribe_app(*, by: Viewer, access: Access) -> None:
    """Has an app pushed to no more. Safe to repeat. One consistent BatchGetItem, 1 read unit, and TransactWriteItems of
    subscription and bell, 4 write units, and of the token, 2 write units."""
    with suppress(NotFound):
        if device := _device_of(by, access):
            remove_device(user_id=by.user_id, device=device)
            key = keys.app_token(by.user_id, access.secret_hash)
            transact(Change(AppToken, key, [AppToken.push_device.remove()]))


@access_pattern
def words_for_app(to: Addressee, device: Device, work: PushWork) -> Mapping[str, str] | None:
    """Returns what an app is told by now: the newest line of what it wants to hear of, with the names and numbers that
    devices are told. None if there is nothing.

    Reads what `newest_line` reads, and for a policy one BatchGetItem of a follow for each line that it comes to,
    consistent, 1 read unit.
    """
    app = device.app
    if app is None or app.policy == "none":
        return None
    groups = [one for one in to.waiting.unseen if type_of_group(one) in app.alerts]

    def may_tell(line: NotificationCard) -> bool:
        person = _doer(line)
        return not person or _is_allowed(to.viewer.user_id, person.user_id, app.policy)

    since = datetime.fromisoformat(work.news_since)
    line = newest_line(to, groups, since=since, may_tell=may_tell)
    if line is None:
        return None
    person = _doer(line)
    badge, others = to.waiting.notifications + to.waiting.messages, len(groups) - 1
    names = to.choices.names
    said = Said(line.kind.name, badge, line=line, others=others, with_names=names)
    language = to.language or device.language or settings.LANGUAGE_CODE
    told = said.in_language(language)
    with override(None):
        picture = (person.avatar_url if person and names else "") or static(LOGO)
    return {
        "access_token": app.token,
        "preferred_locale": language,
        "notification_id": line.place,
        "notification_type": TYPES[line.kind],
        "icon": picture if "://" in picture else f"{settings.SITE_URL}{picture}",
        "title": str(told["title"]),
        "body": str(told.get("body", "")),
    }


def _doer(line: NotificationCard) -> PersonCard | None:
    if line.named:
        return line.named[0]
    return line.post.author if line.post else None


def _is_allowed(user_id: str, other_id: str, policy: str) -> bool:
    """Whether an app's policy lets it hear of what this person did."""
    if policy not in ("followed", "follower"):
        return True
    between = {
        "followed": keys.following(user_id, other_id),
        "follower": keys.follower(user_id, other_id),
    }
    key = between[policy]
    return key in fetch([key], consistent=True)
