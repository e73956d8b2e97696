"""The people of a group and its name, as one of them sees these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.encryption.person_keys import OpenKey, keys_to_open, open_found
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from chats.models import Chat, ChatEntry
from chats.standing import Standing
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import Key, RawItem, fetch, keys, row
from socialsite.texts import isolated

MOST_MEMBERS = 10  # open invitations included
MOST_NAMED = 4  # in the place of a name
TITLE = "title"  # the attribute


@dataclass(frozen=True, slots=True)
class Member:
    """One of a group. Everyone sees who reads what they write, so nobody is left out: people who are not to be seen now
    have no `card`."""

    user_id: str
    card: PersonCard | None
    is_self: bool = False
    is_founder: bool = False
    is_blocked: bool = False  # by the viewer, who alone is told
    is_hidden: bool = False  # a block of either of the two


@dataclass(frozen=True, slots=True)
class Group:
    """A group as the viewer sees it: its founder first, then the others by name."""

    title: str  # empty if nobody can read it any more
    members: Sequence[Member]
    invited: Sequence[Member]

    @property
    def name(self) -> str:
        """Returns the name of the group, or in its place those of its people."""
        return self.title or named_by(one.card for one in self.members if not one.is_self)

    @property
    def founder(self) -> Member | None:
        return next((one for one in self.members if one.is_founder), None)

    @property
    def has_blocked(self) -> bool:
        """Whether someone is in it whom the viewer blocks."""
        return any(one.is_blocked for one in self.members)

    @property
    def is_full(self) -> bool:
        return len(self.members) + len(self.invited) >= MOST_MEMBERS


def named_by(cards: Iterable[PersonCard | None]) -> str:
    """Returns the names of other people in the place of a group's name."""
    names = [card.name for card in cards if card]
    if not names:
        return _("A group")
    more = "…" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def group_keys(me: str, chat: Chat) -> list[Key]:
    """Returns the keys that `group_of` needs: at most 20, 0.5 read units each."""
    others = {*chat.members, *chat.invited} - {me}
    infos = [keys.user_info(one) for one in sorted(others)]
    blocks = [keys.relation(me, RelationType.BLOCK, one) for one in sorted(others)]
    return [*infos, *blocks, *keys_to_open([chat.founder_id] if chat.founder_id else [])]


def known_group(viewer: Viewer, chat_id: str) -> Chat | None:
    """Returns a group as it was read with the viewer, to read its people together with the rest."""
    key = keys.chat(chat_id)
    raw = viewer.beside[key] if key in viewer.beside else fetch([key], consistent=True).get(key)
    return row(Chat, raw) if raw else None


def group_of(viewer: Viewer, chat: Chat, found: Mapping[Key, RawItem | None]) -> Group:
    """Builds it from what was read of `group_keys`."""
    me = viewer.user_id

    def member(user_id: str) -> Member:
        block = found.get(keys.relation(me, RelationType.BLOCK, user_id))
        card = viewer.card if user_id == me else visible(found.get(keys.user_info(user_id)), me)
        return Member(
            user_id,
            card,
            is_self=user_id == me,
            is_founder=user_id == chat.founder_id,
            is_blocked=is_in_force(block),
            is_hidden=blocks_either_way(block),
        )

    def in_order(user_ids: Iterable[str]) -> list[Member]:
        people = [member(one) for one in user_ids]
        return sorted(people, key=lambda one: (not one.is_founder, *_sorted_by(one)))

    return Group(title_of(chat, found), in_order(chat.members), in_order(chat.invited))


def title_of(chat: Chat, found: Mapping[Key, RawItem | None]) -> str:
    """Returns the name that a founder gave, empty if it cannot be read."""
    founder_id, sealed = chat.founder_id, chat.title
    key = open_found([founder_id], found).get(founder_id) if founder_id else None
    return isolated(unsealed_title(chat.chat_id, sealed, key))


def unsealed_title(chat_id: str, sealed: Any, key: OpenKey | None) -> str:
    """Returns the name of a group, empty if it has none or nobody can read it any more."""
    if not sealed or key is None:
        return ""
    return key.text_of(sealed, key=keys.chat(chat_id), attribute=TITLE)


def visible(raw: RawItem | None, viewer_id: str) -> PersonCard | None:
    """Returns a person's card, None if they are not to be seen now."""
    card = PersonCard.from_raw(raw, viewer_id=viewer_id) if raw else None
    return None if card is None or card.is_locked_out else card


def _sorted_by(one: Member) -> tuple[bool, str]:
    return one.card is None, one.card.name.casefold() if one.card else one.user_id


# In a list, where nothing but the entry is known when all is read


def keys_of_row(me: str, entry: ChatEntry) -> list[Key]:
    """Returns the keys of a group, of who wrote last and who leads it: at most 6."""
    people = {entry.last_by, entry.inviter_id} - {"", me}
    blocks = [keys.relation(me, RelationType.BLOCK, one) for one in people]
    infos = [keys.user_info(one) for one in people]
    founder = keys_to_open([entry.inviter_id] if entry.inviter_id else [])
    return [keys.chat(entry.chat_id), *founder, *infos, *blocks]


def keys_of_nameless(
    me: str, entries: Iterable[ChatEntry], found: Mapping[Key, RawItem]
) -> list[Key]:
    """Returns the keys of people whose names stand in the place of a group's, where nobody can read that any more. Of
    most lists there are none, and nothing more is read."""
    raws = [found.get(keys.chat(one.chat_id)) for one in entries if not one.other_id]
    groups = [row(Chat, raw) for raw in raws if raw]
    nameless = [one for one in groups if not title_of(one, found)]
    people = {who for one in nameless for who in one.members} - {me}
    return [key for one in sorted(people) if (key := keys.user_info(one)) not in found]


def shows_group(standing: Standing, found: Mapping[Key, RawItem]) -> bool:
    """Whether the viewer is in the group, or invited by someone who is to be seen and no block stands between."""
    if not standing.is_invited:
        return standing.is_member
    inviter, me = standing.own.inviter_id if standing.own else "", standing.me.user_id
    is_blocked = blocks_either_way(found.get(keys.relation(me, RelationType.BLOCK, inviter)))
    return not is_blocked and visible(found.get(keys.user_info(inviter)), me) is not None


def name_of(standing: Standing, found: Mapping[Key, RawItem]) -> str:
    """Returns the name of a group in a list, or in its place those of its people."""
    if standing.chat is None or standing.is_pair:
        return ""
    me = standing.me.user_id
    people = (
        visible(found.get(keys.user_info(one)), me) for one in sorted(standing.members) if one != me
    )
    return title_of(standing.chat, found) or named_by(people)
