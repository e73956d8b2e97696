"""What the worker does for push: it plans one piece of work for someone in whose bell something new waits, and takes
away the device of a sign-in that has ended. Nobody without devices costs anything."""

from datetime import datetime

from accounts.grants.models import AppToken
from accounts.models import Bell, SignIn
from notifications.push.apps import type_of_group
from notifications.push.choices import MESSAGES, PushChoices, read_choices, wanted
from notifications.push.writes import APP, plan_push, remove_device
from socialsite.clock import utc_now
from socialsite.streams import Change as StreamChange
from socialsite.streams import Ledger, on
from socialsite.table import Item, access_pattern, ids, keys, write_batch
from socialsite.telling import kind_of


@on(Bell, "INSERT", "MODIFY")
@access_pattern
def plan_pushes(change: StreamChange, ledger: Ledger) -> None:
    """Plans a push of what waits anew in a bell, if its person has devices and wants to hear of that by push. All that
    comes within ten seconds, or in quiet hours, is one piece of work. Twice is safe: it is put under the same key, or
    finds nothing new.

    One BatchWriteItem, 1 write unit.
    """
    bell = change.item
    assert isinstance(bell, Bell)
    if not bell.push_to:
        return
    now, choices = utc_now(), read_choices(bell.push_as or "")
    if _has_new_messages(bell, change.old) and choices.wants(MESSAGES):
        since = _rang_at(bell, change.old) or now
        work = plan_push(bell.user_id, about=MESSAGES, choices=choices, since=since, now=now)
    elif new := _new_lines(bell, change.old, choices):
        about, since = kind_of(max(new, key=new.__getitem__)[0]).name, _moment(min(new.values()))
        work = plan_push(bell.user_id, about=about, choices=choices, since=since, now=now)
    else:
        return
    write_batch(puts=[work])


def _has_new_messages(bell: Bell, old: Item | None) -> bool:
    return bool(_conversations(bell) - (_conversations(old) if isinstance(old, Bell) else set()))


def _rang_at(bell: Bell, old: Item | None) -> datetime | None:
    """Returns when the message came that rang, None for an invitation, which is none."""
    is_new = bell.rang and not (isinstance(old, Bell) and old.rang == bell.rang)
    return ids.time_of(bell.rang) if bell.rang and is_new else None


def _conversations(bell: Bell) -> set[str]:
    return (bell.chats or set()) | (bell.chat_requests or set())


def _new_lines(bell: Bell, old: Item | None, choices: PushChoices) -> dict[str, str]:
    """Returns the groups that were not in the bell before, of which pushes are wanted. One that only got more people is
    not new."""
    unseen, known = _places(bell), _places(old) if isinstance(old, Bell) else {}
    new = {group: place for group, place in unseen.items() if known.get(group) != place}
    told = set(wanted(new, choices))
    if any(
        one.startswith(APP) for one in bell.push_to or ()
    ):  # which says of each push whether it wants it
        told |= {group for group in new if type_of_group(group)}
    return {group: new[group] for group in new if group in told}


def _moment(place: str) -> datetime:
    return ids.time_of(f"{place}{'0' * 16}")


def _places(bell: Bell) -> dict[str, str]:
    """Returns when each group that waits was opened."""
    return {group: place[: keys.TIME] for group, place in bell.unseen.attribute_values.items()}


@on(SignIn, "REMOVE")
@access_pattern
def remove_device_of_sign_in(change: StreamChange, ledger: Ledger) -> None:
    """Deletes the device of a sign-in that has ended. Nothing was sent to it any more since that: the pusher looks at
    the sign-in. One that was brought again under a newer sign-in stays. Twice is safe. One TransactWriteItems of two
    items, 4 write units."""
    ended = change.old
    assert isinstance(ended, SignIn)
    if ended.push_device:
        remove_device(user_id=ended.user_id, device=ended.push_device, session=ended.secret_hash)


@on(AppToken, "REMOVE")
@access_pattern
def remove_device_of_app(change: StreamChange, ledger: Ledger) -> None:
    """Has an app pushed to no more whose token has ended. Nothing was sent to it any more since that, as for a sign-in.
    Twice is safe. One TransactWriteItems of two items, 4 write units."""
    ended = change.old
    assert isinstance(ended, AppToken)
    if ended.push_device:
        remove_device(user_id=ended.user_id, device=ended.push_device, session=ended.secret_hash)
