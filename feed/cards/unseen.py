"""The places of an own list whose posts the person may not see now, so that what they did with them can be undone."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from accounts.cards import PersonCard
from feed.cards.addresses import post_url
from feed.cards.post_card import PostCard
from feed.pointers import Pointer


class UnseenPost(NamedTuple):
    """A post that its owner's list names without showing anything of it. `url` is an address of the owner's own, where
    what they did is taken back: nothing here tells whose post it is."""

    post_id: str
    url: str
    is_repost: bool  # otherwise a like

    @property
    def undo_url(self) -> str:
        return f"{self.url}/repost" if self.is_repost else f"{self.url}/like"


def liked_in_place(
    pointers: Iterable[Pointer], cards: Sequence[PostCard], owner: PersonCard
) -> list[PostCard | UnseenPost]:
    """Returns the liked posts in order, with those that the owner may not see now."""
    shown = {card.post_id: card for card in cards}
    return [shown.get(one.post_id) or _unseen(one.post_id, owner) for one in pointers]


def reposts_in_place(
    pointers: Iterable[Pointer], cards: Sequence[PostCard], owner: PersonCard
) -> list[PostCard | UnseenPost]:
    """Returns the posts of the owner's page in order, with the reposts that show nothing now."""
    return list(_in_place(pointers, {card.post_id: card for card in cards}, owner))


def _in_place(
    pointers: Iterable[Pointer], cards: dict[str, PostCard], owner: PersonCard
) -> Iterator[PostCard | UnseenPost]:
    left = dict(cards)
    for pointer in pointers:
        post_id = pointer.shown.post_id
        card = cards.get(post_id)
        if pointer.repost_of and not (card and card.reposters):
            yield _unseen(post_id, owner, is_repost=True)
        elif left.pop(post_id, None) and card:
            yield card


def _unseen(post_id: str, owner: PersonCard, *, is_repost: bool = False) -> UnseenPost:
    return UnseenPost(post_id, post_url(owner.handle, post_id), is_repost)
