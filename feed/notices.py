"""What people are told of posts: of their own, of those that name them, and of those that they asked for."""

from datetime import datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from feed.threads.reads import is_mentioned
from socialsite import keys
from socialsite.telling import Actors, Line, OptOut, kind, plain, with_names


def _liked(line: Line) -> SafeString:
    if line.post is None:
        text = ngettext(
            "{names} liked several of your posts", "{names} liked several of your posts", line.count
        )
    else:
        text = ngettext("{names} liked your post", "{names} liked your post", line.count)
    return format_html(text, names=line.names)


LIKE = kind(
    "like",
    "l",
    switch=OptOut.LIKES,
    icon="heart",
    sentence=_liked,
    is_in_conversation=True,
    still=lambda user_id, actor, post_id: keys.like_trace(actor, post_id) if post_id else None,
)


def _reposted(line: Line) -> SafeString:
    text = ngettext("{names} reposted your post", "{names} reposted your post", line.count)
    return format_html(text, names=line.names)


REPOST = kind(
    "repost",
    "s",
    switch=OptOut.REPOSTS,
    icon="repeat",
    sentence=_reposted,
    is_in_conversation=True,
    still=lambda user_id, actor, post_id: keys.reposter(post_id, actor),
)
REPLY = kind(
    "reply",
    "r",
    switch=OptOut.REPLIES,
    icon="message-circle",
    sentence=with_names(_("{names} replied")),
    shows_whole_post=True,
    is_in_conversation=True,
)
QUOTE = kind(
    "quote",
    "t",
    switch=OptOut.REPLIES,
    icon="quote",
    sentence=with_names(_("{names} quoted your post")),
    shows_whole_post=True,
    is_in_conversation=True,
)
MENTION = kind(
    "mention",
    "m",
    switch=OptOut.MENTIONS,
    icon="at-sign",
    sentence=with_names(_("{names} mentioned you")),
    shows_whole_post=True,
    is_in_conversation=True,
    still=lambda user_id, actor, post_id: keys.post(actor, post_id),
    holds=is_mentioned,  # the post may have been edited since
)


def _posted(line: Line) -> SafeString:
    if line.posts == 1:
        return format_html(gettext("{names} published a post"), names=line.names)
    text = ngettext(
        "{names} published %(posts)d post", "{names} published %(posts)d posts", line.posts
    )
    return format_html(text % {"posts": line.posts}, names=line.names)


POSTED = kind(  # by a favourite; its actors are the posts of one day
    "posted",
    "p",
    switch=OptOut.POSTS,
    icon="star",
    sentence=_posted,
    actors=Actors.POSTS,
    was_asked_for=True,
)


def day_of_author(author_id: str, moment: datetime) -> str:
    """Returns what the posts of one author and one day are about."""
    return f"{author_id[-7:]}{moment:%j}"


def _poll_ended(line: Line) -> SafeString:
    """Says it to the author, or to someone who voted. The author is named as a link."""
    post = line.post
    winners = post.poll.winners if post and post.poll else ()
    if not winners:
        own, others = _("Your poll ended. Nobody voted."), _("The poll by {names} ended.")
    elif len(winners) > 1:
        own, others = _("Your poll ended in a tie"), _("The poll by {names} ended in a tie")
    else:
        own = _("Your poll ended: “{answer}” won with {share}")
        others = _("The poll by {names} ended: “{answer}” won with {share}")
    won = {"answer": winners[0].text, "share": winners[0].percent_text} if winners else {}
    text = own if post and post.is_own else others
    return format_html(str(text), names=line.names, **won)


POLL_ENDED = kind(  # of the person, or one in which they voted; its actor is the post
    "poll ended",
    "e",
    switch=OptOut.POLLS,
    icon="chart-bar",
    sentence=_poll_ended,
    actors=Actors.POSTS,
    is_in_conversation=True,
    was_asked_for=True,
)
UNPUBLISHED = kind(  # a scheduled post; its actor is the draft that it became
    "unpublished",
    "u",
    icon="clock",
    sentence=plain(_("A scheduled post wasn’t published. It’s in your drafts now.")),
    answer=_("See why"),
    answer_url="/drafts",
    actors=Actors.NOBODY,
)
