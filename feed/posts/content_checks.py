"""Judges a post before it is published: by the site's rules it may be refused, held for a moderator, or reported, and
it is refused if it is too large."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import ngettext

from accounts.models import UserCount
from accounts.people.cards import posts_written_here
from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post, Withheld
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.word_filters import Effect, matches
from socialsite.table import MOST_BYTES, TableError, access_pattern, get, item_size, keys

MOST_FLAGS = 10  # word filters that a post names, so that it stays a small item

# What a post may be given after it is written, each at its longest.
LATER: dict[str, Any] = {
    "like_shards": 64,
    "audience": "followers",
    "circle": "0" * 26,
    "withheld": "hidden",
    "sensitive": "yes",
    "replies": "mentioned",
    "quote_withdrawn": "yes",
    "unquotable": "yes",
    "version": 10,
    "edited_at": "2026-01-01T00:00:00+00:00",
}
OPEN = len("open") + 1 + 22  # bytes of the secret of a photo's copy for everyone


class Refused(TableError):
    """The post cannot be published. `sentence` says why, beside the field of its form."""

    field = "content"

    def __init__(self, sentence: str) -> None:
        super().__init__("the post is refused")
        self.sentence = sentence


class RefusedByRules(Refused):
    """A word filter refuses the post."""


class TooLarge(Refused):
    """The post does not fit into one item."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict as `Post` stores it. `flagged` holds the ids of the word filters that it met, separated by spaces."""

    withheld: str = ""
    flagged: str = ""


NOTHING_AGAINST_IT = Verdict()


@access_pattern
def judge_post(
    *, by: Viewer, content: str, audience: str, warning: str = "", others: Iterable[str] = ()
) -> Verdict:
    """Compares a post, its content warning and all other texts in it with the word filters, and its author's post count
    with the number of first posts held for review. Raises `RefusedByRules`.

    Costs nothing, except one GetItem of the post count, 0.5 read units, while the site holds first posts. Posts that
    only their author can see are not judged. Staff are not held as newcomers.
    """
    if audience == Audience.ONLY_ME:
        return NOTHING_AGAINST_IT
    verdict = judge_words(by, content, warning, *others)
    if not verdict.withheld and is_newcomer(by):
        return replace(verdict, withheld=Withheld.HELD)
    return verdict


def judge_words(by: Viewer, content: str, warning: str, *others: str) -> Verdict:
    """Compares all texts of a post with the word filters. Raises `RefusedByRules`."""
    rules = site_rules()
    words = words_of(content, warning, *others)
    if sentence := rules.refusal(words):
        raise RefusedByRules(sentence)
    met = matches(words, rules.words)
    effects = {word.effect for word in met}
    return Verdict(
        withheld=Withheld.HELD if Effect.HOLD in effects else "",
        flagged=" ".join(word.rule_id for word in met[:MOST_FLAGS]),
    )


def must_fit(post: Post, **changed: Any) -> None:
    """Raises `TooLarge` if a post, with what an edit changes, would not stay within 4 KB.

    Its text has room for 3,500 bytes, unless it has a long warning or mentions, or stands deep in a thread: a path
    takes up to a kilobyte. All copies of the text (`Reply`, `PostVersion`, `CaseEvidence`) are smaller than the post.
    """
    over = size_of(post, **changed) - MOST_BYTES
    if over > 0:
        raise TooLarge(_why_too_large(over))


def size_of(post: Post, **changed: Any) -> int:
    """Returns the bytes that a post can come to take, with what an edit changes."""
    given = {name: value for name, value in post.attribute_values.items() if value is not None}
    later = Post(**LATER | given | changed).serialize()
    to_be_open = [one for one in post.photos or () if not one.public_secret]
    return item_size(later) + OPEN * len(to_be_open)


def _why_too_large(over: int) -> str:
    return ngettext(
        "This is %(n)d byte too long. Your text shares its space with the content warning, the people you mention "
        "and, in a reply, its place in the conversation. Shorten it.",
        "This is %(n)d bytes too long. Your text shares its space with the content warning, the people you mention "
        "and, in a reply, its place in the conversation. Shorten it.",
        over,
    ) % {"n": over}


def words_of(content: str, warning: str, *others: str) -> str:
    """Returns all that a post says, as word filters meet it."""
    return "\n".join(filter(None, (warning, content, *others)))


def is_newcomer(by: Viewer) -> bool:
    """Whether moderators still see the next post of this person first. One GetItem, 0.5 read units, while the site
    holds first posts."""
    posts_held = site_rules().held_first_posts_now
    if not posts_held or by.is_staff:
        return False
    return posts_written_here(get(UserCount, keys.user_count(by.user_id))) < posts_held
