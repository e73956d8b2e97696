"""What people are told at the end of a poll, with the result as it is when they read it."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from feed.cards import PostCard


def poll_sentence(post: PostCard, names: SafeString) -> SafeString:
    """Returns the sentence about a poll that has ended, for its author or for someone who voted. `names` is the author
    as a link."""
    winners = post.poll.winners if post.poll else ()
    if not winners:
        return format_html(_without_votes(post), names=names)
    if len(winners) > 1:
        return format_html(_tie(post), names=names)
    winner = winners[0]
    return format_html(_won(post), names=names, answer=winner.text, share=winner.percent_text)


def _without_votes(post: PostCard) -> str:
    if post.is_own:
        return gettext("Your poll ended. Nobody voted.")
    return gettext("The poll by {names} ended.")


def _tie(post: PostCard) -> str:
    if post.is_own:
        return gettext("Your poll ended in a tie")
    return gettext("The poll by {names} ended in a tie")


def _won(post: PostCard) -> str:
    if post.is_own:
        return gettext("Your poll ended: “{answer}” won with {share}")
    return gettext("The poll by {names} ended: “{answer}” won with {share}")
