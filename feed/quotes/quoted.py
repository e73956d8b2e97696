"""What stands in the card of a quoted post, and when."""

from collections.abc import Mapping

from accounts.viewer import Viewer
from feed.cards import PostCard
from feed.fetched import Fetched
from feed.visibility import mute_keys
from relations.relation import is_in_force


def with_quoted(
    card: PostCard, cards: Mapping[str, PostCard], fetched: Fetched, viewer: Viewer
) -> PostCard:
    """Returns the card of a post with that of the post that it quotes, one of `cards`. Without it, unless both are for
    everyone, the quoted author lets it, and the viewer neither mutes nor blocks them: the others are not among the
    `cards`."""
    quoted = cards.get(card.quote_of)
    if quoted is None or card.quote_withdrawn or card.audience or not quoted.can_be_reposted:
        return card
    mutes = mute_keys(viewer, [quoted.author.user_id]).values()
    if any(is_in_force(fetched.items.get(key)) for key in mutes):
        return card
    return card._replace(quoted=quoted)
