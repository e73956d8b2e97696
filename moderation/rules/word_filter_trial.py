"""Tries a word filter on the newest posts before it is saved."""

from dataclasses import dataclass
from itertools import islice

from accounts.viewer import Viewer
from feed.cards import PostCard
from feed.local_timeline import newest_public
from feed.models import Post
from feed.pointers import pointer_of
from feed.polls.said import said_by
from feed.verdicts import words_of
from feed.visible_posts import get_posts
from socialsite.site.word_filters import Word, matches
from socialsite.table import keys, reading
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem
from socialsite.table.row import row

POSTS_TRIED = 200
POSTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Trial:
    """How many public posts were checked, how many the filter would have caught, and the newest of these."""

    tried: int
    met: int
    posts: list[PostCard]


@access_pattern
def try_word_rule(word: Word, *, viewer: Viewer) -> Trial:
    """Compares the newest public posts with a word filter.

    At most 32 Queries for the pointers, two BatchGetItem of 0.5 read units a post, and one of at most 40 for those that
    are shown.
    """
    found = reading.fetch(
        keys.post(pointer.author_id, pointer.post_id) for pointer in newest_public(POSTS_TRIED)
    )
    public = [raw for raw in found.values() if "audience" not in raw and "withheld" not in raw]
    met = [raw for raw in public if matches(_words(raw), [word])]
    shown = map(pointer_of, islice(met, POSTS_SHOWN))
    return Trial(len(public), len(met), get_posts(shown, viewer=viewer))


def _words(raw: RawItem) -> str:
    post = row(Post, raw)
    return words_of(said_by(post), post.warning or "")
