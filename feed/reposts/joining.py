"""The reposts of a page: each post stands there once, with the people who reposted it."""

from collections.abc import Iterable, Mapping

from accounts.cards import PersonCard
from feed.cards import PostCard
from feed.pointers import Pointer


def may_be_shown(pointer: Pointer, cards: Mapping[str, PostCard]) -> bool:
    """Whether what a pointer brings stands on the page, by the cards that the viewer may see."""
    card = cards.get(pointer.shown.post_id)
    return card is not None and (not pointer.repost_of or card.can_be_reposted)


def join(shown: Iterable[tuple[PostCard, PersonCard | None]]) -> list[PostCard]:
    """Returns the posts of a page in order, each where it stands first. The second of a pair is the person whose repost
    brings it, None where it stands by itself."""
    cards: dict[str, PostCard] = {}
    for card, reposter in shown:
        first = cards.setdefault(card.post_id, card)
        if reposter and reposter not in first.reposters:
            cards[card.post_id] = first._replace(reposters=(*first.reposters, reposter))
    return list(cards.values())
