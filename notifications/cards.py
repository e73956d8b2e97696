"""Lines of the inbox as sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from accounts.people.cards import PersonCard
from feed.cards.post_card import PostCard
from notifications.kinds import FROM_NOBODY, WHOLE_POSTS, Kind
from socialsite import keys
from socialsite.web.preferences import ago, full_date
from socialsite.web.rich_text import linked_names


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


ICONS = {
    Kind.LIKE: "heart",
    Kind.REPOST: "repeat",
    Kind.REPLY: "message-circle",
    Kind.QUOTE: "quote",
    Kind.MENTION: "at-sign",
    Kind.FOLLOW: "user-plus",
    Kind.FOLLOW_REQUEST: "user-plus",
    Kind.FRIEND_REQUEST: "users",
    Kind.FOLLOW_ACCEPTED: "user-check",
    Kind.FRIEND_ACCEPTED: "user-check",
    Kind.POSTED: "star",
    Kind.POLL_ENDED: "chart-bar",
    Kind.UNPUBLISHED: "clock",
    Kind.DECISION: "shield-check",
    Kind.PASSED: "shield-check",
    Kind.APPEALED: "message-circle",
    Kind.WAITING: "clock",
}
QUEUE = "/moderation/queue?queue="


@dataclass(frozen=True, slots=True)
class NotificationCard:
    """`named` are at most two of the `people`, who are counted; nobody for a decision of moderators, or a post that was
    not published. `posts` are those of a favourite, of which `post` is one."""

    place: str
    kind: Kind
    named: Sequence[PersonCard]
    people: int
    created: datetime
    is_new: bool
    post: PostCard | None = None
    posts: int = 1

    @property
    def icon(self) -> str:
        return ICONS[self.kind]

    @property
    def iso(self) -> str:
        return self.created.isoformat(timespec="seconds")

    @property
    def ago(self) -> str:
        return ago(self.created)

    @property
    def when(self) -> str:
        return full_date(self.created)

    @property
    def shows_whole_post(self) -> bool:
        return self.kind in WHOLE_POSTS

    @property
    def is_request(self) -> bool:
        return self.kind in (Kind.FOLLOW_REQUEST, Kind.FRIEND_REQUEST)

    @property
    def is_decision(self) -> bool:
        return self.kind == Kind.DECISION

    @property
    def cases_url(self) -> str:
        """Returns the address of the cases that it is about, empty if it is about none."""
        match self.kind:
            case Kind.PASSED:
                return f"{QUEUE}mine"
            case Kind.APPEALED:
                return f"{QUEUE}appeals"
            case Kind.WAITING:
                return f"{QUEUE}{self.place[keys.TIME + 1 :]}"
        return ""

    @property
    def is_unpublished(self) -> bool:
        return self.kind == Kind.UNPUBLISHED

    @property
    def html(self) -> SafeString:
        """Returns the sentence, with the people as links."""
        if self.kind in FROM_NOBODY:
            return format_html("{}", self._sentence())
        if self.kind == Kind.POLL_ENDED and self.post:
            return poll_sentence(self.post, linked_names(self.named, self.people))
        return format_html(self._sentence(), names=linked_names(self.named, self.people))

    def _sentence(self) -> str:
        n = max(self.people, len(self.named))
        match self.kind:
            case Kind.LIKE if self.post is None:
                return ngettext(
                    "{names} liked several of your posts", "{names} liked several of your posts", n
                )
            case Kind.LIKE:
                return ngettext("{names} liked your post", "{names} liked your post", n)
            case Kind.REPOST:
                return ngettext("{names} reposted your post", "{names} reposted your post", n)
            case Kind.REPLY:
                return gettext("{names} replied")
            case Kind.QUOTE:
                return gettext("{names} quoted your post")
            case Kind.MENTION:
                return gettext("{names} mentioned you")
            case Kind.FOLLOW:
                return ngettext("{names} followed you", "{names} followed you", n)
            case Kind.FOLLOW_REQUEST:
                return gettext("{names} wants to follow you")
            case Kind.FRIEND_REQUEST:
                return gettext("{names} wants to be your friend")
            case Kind.FOLLOW_ACCEPTED:
                return gettext("{names} accepted your request. You follow them now.")
            case Kind.POLL_ENDED:
                return gettext("The poll by {names} ended.")
            case Kind.POSTED if self.posts > 1:
                text = ngettext(
                    "{names} published %(posts)d post",
                    "{names} published %(posts)d posts",
                    self.posts,
                )
                return text % {"posts": self.posts}
            case Kind.POSTED:
                return gettext("{names} published a post")
            case Kind.UNPUBLISHED:
                return gettext("A scheduled post wasn’t published. It’s in your drafts now.")
            case Kind.PASSED:
                text = ngettext(
                    "%(n)d case was assigned to you", "%(n)d cases were assigned to you", n
                )
                return text % {"n": n}
            case Kind.APPEALED:
                text = ngettext(
                    "%(n)d appeal is waiting for an answer",
                    "%(n)d appeals are waiting for an answer",
                    n,
                )
                return text % {"n": n}
            case Kind.WAITING:
                text = ngettext(
                    "%(n)d case has been waiting for a long time",
                    "%(n)d cases have been waiting for a long time",
                    n,
                )
                return text % {"n": n}
            case Kind.DECISION:
                return gettext("The moderators made a decision about your account or your posts.")
            case Kind.FRIEND_ACCEPTED:
                return gettext("{names} accepted your request. You are friends now.")
