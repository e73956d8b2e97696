"""What a file can hold, and what can become of a line of it, in words."""

from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class FileKind(StrEnum):
    """What a file holds. The value is the name that Mastodon gives it."""

    FOLLOWS = "following_accounts"
    BLOCKS = "blocked_accounts"
    MUTES = "muted_accounts"
    LISTS = "lists"
    BOOKMARKS = "bookmarks"
    POSTS = "outbox"


TITLES: dict[str, Promise] = {
    FileKind.FOLLOWS: _("People you follow"),
    FileKind.BLOCKS: _("People you block"),
    FileKind.MUTES: _("People you mute"),
    FileKind.LISTS: _("Lists"),
    FileKind.BOOKMARKS: _("Bookmarks"),
    FileKind.POSTS: _("Posts"),
}


class Outcome(StrEnum):
    """What became of a line."""

    FOLLOWED = "followed"
    ASKED = "asked"
    BLOCKED = "blocked"
    MUTED = "muted"
    LISTED = "listed"
    POSTED = "posted"
    HELD = "held"
    ALREADY = "already"
    ELSEWHERE = "elsewhere"
    NOBODY = "nobody"
    SELF = "self"
    YOU_BLOCK = "you-block"
    FULL = "full"
    ASKED_OFTEN = "asked-often"
    PACK = "pack"
    NOT_READ = "not-read"
    TWICE = "twice"
    ANSWER = "answer"
    BOOST = "boost"
    DIRECT = "direct"
    POLL = "poll"
    ONLY_PHOTOS = "only-photos"
    EMPTY = "empty"
    NO_DATE = "no-date"
    TOO_LONG = "too-long"
    REFUSED = "refused"
    FIRST_POSTS = "first-posts"
    LINKS = "links"
    DELETED = "deleted"
    BOOKMARK = "bookmark"
    OTHER = "other"


SENTENCES: dict[str, Promise] = {
    Outcome.FOLLOWED: _("You follow them now."),
    Outcome.ASKED: _("They decide who follows them, so your request waits."),
    Outcome.BLOCKED: _("You block them now."),
    Outcome.MUTED: _("You mute them now."),
    Outcome.LISTED: _("They are in this list now."),
    Outcome.POSTED: _("It is on your profile now."),
    Outcome.HELD: _("It waits for review. Only you can see it."),
    Outcome.ALREADY: _("It was here already."),
    Outcome.ELSEWHERE: _("Not here: the address is of another site."),
    Outcome.NOBODY: _("Not here: nobody has this handle."),
    Outcome.SELF: _("Left out: that’s you."),
    Outcome.YOU_BLOCK: _("Left out: you block them."),
    Outcome.FULL: _("Left out: you’ve reached the limit."),
    Outcome.ASKED_OFTEN: _("Left out: too many requests at once. Ask them yourself later."),
    Outcome.PACK: _("Left out: everyone sees this list, as it is a starter pack."),
    Outcome.NOT_READ: _("Left out: we could not read this line."),
    Outcome.TWICE: _("Left out: it is in the file twice."),
    Outcome.ANSWER: _("Left out: it answers someone on another site."),
    Outcome.BOOST: _("Left out: it boosts a post on another site."),
    Outcome.DIRECT: _("Left out: it was a message to some people."),
    Outcome.POLL: _("Left out: polls can’t be brought."),
    Outcome.ONLY_PHOTOS: _("Left out: it has photos alone, and these can’t be brought."),
    Outcome.EMPTY: _("Left out: it has no text."),
    Outcome.NO_DATE: _("Left out: it does not say when it was published."),
    Outcome.TOO_LONG: _("Left out: it is longer than posts here can be."),
    Outcome.REFUSED: _("Left out: it goes against a rule of this site."),
    Outcome.FIRST_POSTS: _("Left out: moderators still look at your first posts."),
    Outcome.LINKS: _("Left out: it has more links than you can post today."),
    Outcome.DELETED: _("Left out: you deleted it here."),
    Outcome.BOOKMARK: _("Left out: it is a link to a post on another site."),
    Outcome.OTHER: _("Left out: it is no post."),
}
DID = frozenset(
    {
        *(Outcome.FOLLOWED, Outcome.ASKED, Outcome.BLOCKED, Outcome.MUTED, Outcome.LISTED),
        *(Outcome.POSTED, Outcome.HELD),
    }
)


class Remark(StrEnum):
    """What else is said of a post that was brought."""

    UNLISTED = "unlisted"
    PHOTOS = "photos"


REMARKS: dict[str, Promise] = {
    Remark.UNLISTED: _("It was unlisted there, so it is for your followers."),
    Remark.PHOTOS: _("Its photos were left out."),
}
