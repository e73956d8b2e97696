"""What the viewer's muted words do to the posts of a page: one function, which every list passes its cards through.

A post says its text, its warning, the answers of its poll, the descriptions of its photos (as much of each as a card
has), and all that of the post that it quotes. One's own posts are never muted.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from feed.cards.post_card import PostCard
from relations.muted_words.words import Mutes, Said, Where


class Quiet(NamedTuple):
    """Which words are muted on a page. `keeps_all` says that nothing is left out, only folded."""

    where: Where = Where.EVERYWHERE
    keeps_all: bool = False


IN_LISTS = Quiet()
AT_HOME = Quiet(Where.HOME)
IN_NOTIFICATIONS = Quiet(Where.NOTIFICATIONS)
OF_ONES_OWN = Quiet(keeps_all=True)  # what the viewer saved, liked or opened by its address


def quieten(cards: Iterable[PostCard], mutes: Mutes, quiet: Quiet) -> list[PostCard]:
    """Returns the cards without those that a muted word hides, the ones that a word folds with that word in
    `muted_by`."""
    return [shown for card in cards if (shown := quieten_one(card, mutes, quiet))]


def quieten_one(card: PostCard, mutes: Mutes, quiet: Quiet) -> PostCard | None:
    """Returns the card as `quieten` does, None if a word hides it."""
    if card.is_own or not mutes.words:
        return card
    met = mutes.met_by(Said(_texts_of(card)), where=quiet.where)
    if met is None:
        return card
    return card._replace(muted_by=met.word) if met.folds or quiet.keeps_all else None


def _texts_of(card: PostCard) -> Iterator[str]:
    yield card.text
    yield card.warning
    if card.poll:
        yield from (choice.text for choice in card.poll.choices)
    yield from (photo.alt for photo in card.photos)
    if card.quoted:
        yield from _texts_of(card.quoted)
