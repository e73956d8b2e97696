"""The people of a group: founding, inviting, accepting, naming, removing, leaving.

`Chat.members` decides who reads and writes. Every change of it is one transaction on the condition that the people of
the group are as they were read, so two changes at once never pass each other; with each comes what it means for the
entries of those whom it concerns. A badge goes with its entry (`../stream_handlers.py`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.credentials.reencrypt import key_to_seal
from accounts.encryption.person_keys import OpenKey
from accounts.people.restrictions import is_there
from accounts.people.viewer import Viewer
from chats.members import MOST_MEMBERS, TITLE, unsealed_title
from chats.models import KEEP_DAYS, Chat, ChatEntry, Line, Message, State
from chats.standing import Reception, standing_keys, standing_of
from chats.writes import (
    REQUESTS_A_DAY,
    REQUESTS_A_DAY_OF_NEW,
    CannotWrite,
    TooManyRequests,
    count_requests,
    next_message_id,
    read_standing,
    refuse_chat,
    say,
    take_from_bell,
)
from relations.blocks.writes import block
from relations.models import RelationType
from relations.relation import UNBLOCKED
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import (
    Change,
    Check,
    Create,
    Delete,
    Erase,
    Key,
    Moved,
    NotFound,
    RawItem,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    ids,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.web.limits import Limit, LimitReached, hit, next_window

GROUPS_A_DAY = Limit("message-groups", 20, 86_400)


class CannotInvite(TableError):
    """Some people cannot be invited. Why is not said: it could be a block."""

    def __init__(self, user_ids: Collection[str]) -> None:
        super().__init__("not everyone can be invited")
        self.user_ids = user_ids


class GroupFull(TableError):
    """The group would have more than ten people, open invitations included."""


class TooManyGroups(TableError):
    """The person has founded as many groups as one can in a day."""


@access_pattern
def found_group(*, by: Viewer, chat_id: str, title: str, invited: Collection[str]) -> None:
    """Founds a group of the viewer alone, and invites others. Safe to repeat with the same `chat_id`, which the form
    brings. Raises `CannotInvite`, `GroupFull`, `CannotWrite`, `LimitReached`, `Frozen`, `NotFound`, `Conflict`.

    One consistent BatchGetItem of the Chat and 7 keys for each of the others, 1 read unit a key, and one
    TransactWriteItems of Chat, line, own entry and limits, 12 write units, and 6 for each of the others: their entry
    and two checks.
    """
    by.must_be_free_to_write()
    wanted = set(invited) - {by.user_id}
    if 1 + len(wanted) > MOST_MEMBERS:
        raise GroupFull

    def attempt() -> None:
        place = keys.chat(chat_id)
        found = fetch([place, *_keys_to_invite(by, chat_id, wanted)], consistent=True)
        if place in found:
            if row(Chat, found[place]).founder_id != by.user_id:
                raise NotFound("another conversation")
            return
        key = key_to_seal(by.user_id)
        since, begun = ids.new_id(), ids.new_id()
        group = Chat(
            *place,
            chat_id=chat_id,
            members={by.user_id},
            invited=wanted or None,
            founder_id=by.user_id,
            title=key.seal(title, key=place, attribute=TITLE),
        )
        own = ChatEntry.new(
            user_id=by.user_id,
            chat_id=chat_id,
            state=State.IN,
            inviter_id=by.user_id,
            since=since,
            last=begun,
            last_by=by.user_id,
            joined=begun,
        )
        transact(
            Create(group, otherwise=Moved),
            key.check(),
            Create(_line(by, chat_id, begun, Line.BEGUN, KEEP_DAYS), otherwise=Moved),
            Create(own, otherwise=Moved),
            hit(GROUPS_A_DAY, by.user_id, otherwise=TooManyGroups),
            *_invitations(by, chat_id, title, wanted, found),
        )

    _within_limits(attempt)


@access_pattern
def invite(*, by: Viewer, chat_id: str, user_ids: Collection[str]) -> None:
    """Invites further people into the group that the viewer leads. Safe to repeat: those who are in it or asked already
    are left as they are. Raises as `found_group`.

    One consistent BatchGetItem of the Chat and 8 keys for each of them, 1 read unit a key, and one TransactWriteItems
    of the Chat, 2 write units, and 6 for each: their entry and two checks.
    """
    by.must_be_free_to_write()

    def attempt() -> None:
        place = keys.chat(chat_id)
        entries = [keys.chat_entry(one, chat_id) for one in user_ids]
        wanted = [place, *entries, *_keys_to_invite(by, chat_id, user_ids)]
        found = fetch(wanted, consistent=True)
        group = _led_by(by, chat_id, found)
        new = set(user_ids) - {*group.members, *group.invited}
        if not new:
            return
        if len(group.members) + len(group.invited) + len(new) > MOST_MEMBERS:
            raise GroupFull
        title = unsealed_title(chat_id, group.title, key_to_seal(by.user_id))
        transact(
            Change(Chat, place, [Chat.invited.add(new)], _as_read(group), Moved),
            *_invitations(by, chat_id, title, new, found),
        )

    _within_limits(attempt)


def _within_limits(attempt: Callable[[], None]) -> None:
    try:
        write_optimistically(attempt)
    except (TooManyRequests, TooManyGroups) as error:
        limit = GROUPS_A_DAY if isinstance(error, TooManyGroups) else REQUESTS_A_DAY
        seconds = (next_window(limit) - utc_now()).total_seconds()
        raise LimitReached(max(1, int(seconds)), limit.kind) from error


def _keys_to_invite(by: Viewer, chat_id: str, user_ids: Collection[str]) -> list[Key]:
    pairs = [keys.pair(by.user_id, one) for one in sorted(user_ids) if one != by.user_id]
    return [key for pair in pairs for key in standing_keys(by.user_id, pair)]


def _invitations(
    by: Viewer,
    chat_id: str,
    title: str,
    user_ids: Collection[str],
    found: Mapping[Key, RawItem | None],
) -> list[WriteAction]:
    """Returns what invites these people: whom the viewer may write to at once or as a request, and nobody else. An
    invitation counts as a request where a message would. One that was refused is not told again."""
    actions: list[WriteAction] = []
    refused, strangers = [], 0
    for user_id in sorted(user_ids):
        reception = standing_of(by, keys.pair(by.user_id, user_id), found).reception
        strangers += reception == Reception.REQUEST
        if reception not in (Reception.DIRECT, Reception.REQUEST):
            refused.append(user_id)
            continue
        there = keys.user_info(user_id)
        unblocked = keys.relation(by.user_id, RelationType.BLOCK, user_id)
        actions += [Check(there, is_there(), Moved), Check(unblocked, UNBLOCKED, Moved)]
        if keys.chat_entry(user_id, chat_id) not in found:
            entry = ChatEntry.new(
                user_id=user_id,
                chat_id=chat_id,
                state=State.ASKED,
                inviter_id=by.user_id,
                last=ids.new_id(),
                last_by=by.user_id,
            )
            actions.append(Create(entry, Moved, over_expired=True))
    if refused:
        raise CannotInvite(refused)
    if strangers and (sentence := site_rules().refusal(title)):
        raise CannotWrite(sentence)
    if strangers > REQUESTS_A_DAY_OF_NEW.hits:  # more than a limit at once never fit
        raise TooManyRequests
    return [*actions, *([count_requests(by.user_id, strangers)] if strangers else [])]


@access_pattern
def accept_invitation(*, by: Viewer, chat_id: str) -> None:
    """Comes into a group, and sees its messages from now on. A line says so. Safe to repeat. Raises `NotFound` unless
    the viewer is invited, and neither they nor the founder blocks the other.

    One consistent BatchGetItem of Chat and own entry, 2 read units, and one TransactWriteItems of both, the line and a
    check, 8 write units.
    """

    def attempt() -> None:
        standing = read_standing(by, chat_id)
        if not standing.is_invited:
            if standing.is_member:
                return
            raise NotFound("not invited")
        assert standing.chat
        since, joined = ids.new_id(), next_message_id(standing)
        entered = [
            ChatEntry.state.set(State.IN),
            ChatEntry.since.set(since),
            ChatEntry.joined.set(joined),
            ChatEntry.last.set(joined),
            ChatEntry.last_by.set(by.user_id),
            ChatEntry.read.set(joined),
        ]
        is_asked = ChatEntry.state == State.ASKED
        me = {by.user_id}
        unblocked = keys.relation(by.user_id, RelationType.BLOCK, standing.chat.founder_id)
        transact(
            Change(
                Chat,
                keys.chat(chat_id),
                [Chat.members.add(me), Chat.invited.delete(me)],
                _as_read(standing.chat),
                Moved,
            ),
            Change(ChatEntry, keys.chat_entry(by.user_id, chat_id), entered, is_asked, Moved),
            Create(_line(by, chat_id, joined, Line.JOINED, standing.keep_days), Moved),
            Check(unblocked, UNBLOCKED, NotFound),
        )

    write_optimistically(attempt)
    take_from_bell(by, chat_id, up_to="~")


@access_pattern
def refuse_and_block(*, by: Viewer, chat_id: str) -> str:
    """Refuses an invitation, and blocks who sent it, whose id is returned. Safe to repeat. As `refuse_chat` and
    `block`, after one consistent BatchGetItem of Chat and own entry, 2 read units. Raises `NotFound`."""
    standing = read_standing(by, chat_id)
    if standing.own is None or not standing.own.inviter_id:
        raise NotFound("not invited")
    refuse_chat(by=by, chat_id=chat_id)
    block(by=by, user_id=standing.own.inviter_id)
    return str(standing.own.inviter_id)


@access_pattern
def name_group(*, by: Viewer, chat_id: str, title: str) -> None:
    """Gives the group that the viewer leads another name. A line says who did. Safe to repeat. Raises `NotFound`,
    `Frozen`.

    One consistent BatchGetItem of Chat and own entry, 2 read units, and one TransactWriteItems of the Chat, the line,
    the own entry and a check of the key, 8 write units.
    """
    by.must_be_free_to_write()

    def attempt() -> None:
        standing = read_standing(by, chat_id)
        if not standing.is_founder or standing.chat is None:
            raise NotFound("only the founder names a group")
        key, place = key_to_seal(by.user_id), keys.chat(chat_id)
        if unsealed_title(chat_id, standing.chat.title, key) == title:
            return
        sealed = key.seal(title, key=place, attribute=TITLE)
        transact(
            Change(Chat, place, [Chat.title.set(sealed)], Chat.founder_id == by.user_id, Moved),
            key.check(),
            *say(standing, Line.NAMED),
        )

    write_optimistically(attempt)


@access_pattern
def remove_member(*, by: Viewer, chat_id: str, user_id: str) -> None:
    """Removes someone from the group that the viewer leads, which a line says, or takes an invitation back, which none
    says. The group is a 404 for them from now on. Safe to repeat. Raises `NotFound`.

    One consistent BatchGetItem of Chat and both entries, 3 read units, and one TransactWriteItems of the Chat, their
    entry, the line and the own entry, 8 write units.
    """
    theirs = keys.chat_entry(user_id, chat_id)

    def attempt() -> None:
        standing = read_standing(by, chat_id)
        group = standing.chat
        if group is None or not standing.is_founder or user_id == by.user_id:
            raise NotFound("only the founder removes others")
        gone, place = {user_id}, keys.chat(chat_id)
        if user_id in group.members:
            transact(
                Change(Chat, place, [Chat.members.delete(gone)], _as_read(group), Moved),
                Erase(theirs),
                *say(standing, Line.REMOVED, user_id),
            )
        elif user_id in group.invited:
            entry = row(ChatEntry, fetch([theirs], consistent=True).get(theirs, {}))
            is_open = entry.state == State.ASKED  # else it says that they refused
            transact(
                Change(Chat, place, [Chat.invited.delete(gone)], _as_read(group), Moved),
                *([Delete(theirs, ChatEntry.state == State.ASKED, Moved)] if is_open else []),
            )

    write_optimistically(attempt)


@access_pattern
def leave_group(*, by: Viewer, chat_id: str, is_erased: bool = False) -> None:
    """Leaves a group, or the wait for an answer to its invitation, quietly: no line says so. Of a founder the group
    goes to the one who is in it longest, with its name sealed anew by their key, and open invitations end. With the
    last one it ends. Safe to repeat. If the account `is_erased`, nobody can read the name any more, and no key is asked
    for.

    One consistent BatchGetItem of Chat and own entry, 2 read units, and one TransactWriteItems of both, 4 write units;
    a founder also reads the others' entries, 1 read unit each, and the transaction says in each who leads now, 2 write
    units each.
    """
    own = keys.chat_entry(by.user_id, chat_id)

    def attempt() -> None:
        standing = read_standing(by, chat_id)
        group, place = standing.chat, keys.chat(chat_id)
        me = {by.user_id}
        if group is not None and by.user_id in group.invited:
            out = [Chat.invited.delete(me)]
            transact(Change(Chat, place, out, _as_read(group), Moved), Erase(own))
            return
        if group is None or not standing.is_member:
            return
        others = sorted(set(group.members) - {by.user_id})
        invited = [keys.chat_entry(one, chat_id) for one in sorted(group.invited)]
        gone: list[WriteAction] = [Erase(own)]
        if not others:
            transact(Delete(place, _as_read(group), Moved), *gone, *map(Erase, invited))
            return
        changed: list[Action] = [Chat.members.delete(me)]
        if standing.is_founder:
            found = fetch([keys.chat_entry(one, chat_id) for one in others], consistent=True)
            in_order = _longest_first([row(ChatEntry, raw) for raw in found.values()], others)
            own_key = None if is_erased else _key_of(by.user_id)
            title = unsealed_title(chat_id, group.title, own_key)
            successor, key = _successor(in_order) if title else (in_order[0], None)
            changed.append(Chat.founder_id.set(successor))
            changed.append(Chat.invited.remove())
            if title and key:
                sealed = key.seal(title, key=place, attribute=TITLE)
                changed.append(Chat.title.set(sealed))
                gone.append(key.check())
            else:
                changed.append(Chat.title.remove())
            led_by = [ChatEntry.inviter_id.set(successor)]
            gone += [Change(ChatEntry, one, led_by, otherwise=Moved) for one in found]
            gone += map(Erase, invited)
        transact(Change(Chat, place, changed, _as_read(group), Moved), *gone)

    write_optimistically(attempt)


def _longest_first(entries: Collection[ChatEntry], others: Collection[str]) -> list[str]:
    joined = {one.user_id: one.joined for one in entries}
    return sorted(others, key=lambda one: (joined.get(one, "~"), one))


def _successor(in_order: Sequence[str]) -> tuple[str, OpenKey | None]:
    """Returns the first of these people who still has a key, else just the first."""
    for user_id in in_order:
        if key := _key_of(user_id):
            return user_id, key
    return in_order[0], None


def _key_of(user_id: str) -> OpenKey | None:
    try:
        return key_to_seal(user_id)
    except NotFound:  # their account is erased
        return None


def _led_by(by: Viewer, chat_id: str, found: Mapping[Key, RawItem | None]) -> Chat:
    raw = found.get(keys.chat(chat_id))
    group = row(Chat, raw) if raw else None
    if group is None or group.founder_id != by.user_id:
        raise NotFound("only the founder invites")
    return group


def _as_read(group: Chat) -> Condition:
    """Returns the condition that the people of a group, and who leads it, are as they were read."""
    members, invited, founder_id = set(group.members), set(group.invited), group.founder_id
    same = (Chat.members == members) if members else Chat.members.does_not_exist()
    same &= (Chat.invited == invited) if invited else Chat.invited.does_not_exist()
    return same & ((Chat.founder_id == founder_id) if founder_id else Chat.pk.exists())


def _line(by: Viewer, chat_id: str, message_id: str, line: Line, keep_days: int) -> Message:
    return Message.new(
        chat_id=chat_id,
        message_id=message_id,
        author_id=by.user_id,
        ttl=utc_now() + timedelta(days=keep_days),
        line=line,
    )
