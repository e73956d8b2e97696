"""The people of a group and its name, as one of them sees these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from django.utils.translation import gettext as _

from accounts.encryption.person_keys import keys_to_open, open_found
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from chats.models import Chat
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.keys.key import Key
from socialsite.table import RawItem, keys
from socialsite.texts.unseen import isolated

MOST_MEMBERS = 10  # open invitations included
MOST_NAMED = 4  # in the place of a name
TITLE = "title"  # the attribute


@dataclass(frozen=True, slots=True)
class Member:
    """One of a group. Everyone sees who reads what they write, so nobody is left out: whoever is not to be seen now has
    no `card`."""

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


def unsealed_title(chat_id: str, sealed: Any, key: Any) -> str:
    if not sealed or key is None:
        return ""
    try:
        text: str = key.unseal(sealed, key=keys.chat(chat_id), attribute=TITLE)
    except InvalidTag:
        return ""
    return text


def visible(raw: RawItem | None, viewer_id: str) -> PersonCard | None:
    """Returns a person's card, None if they are not to be seen now."""
    card = PersonCard.from_raw(raw, viewer_id=viewer_id) if raw else None
    return None if card is None or card.is_locked_out else card


def _sorted_by(one: Member) -> tuple[bool, str]:
    return one.card is None, one.card.name.casefold() if one.card else one.user_id
