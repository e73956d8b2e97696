"""Tries a word filter before it is saved: on the newest posts, and on harmless words in the site's languages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from django.conf import settings

from accounts.viewer import Viewer
from feed.cards import PostCard
from feed.local_timeline import newest_public
from feed.models import Post
from feed.pointers import Pointer, pointer_of
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
FALSE_ALARMS = Path(__file__).with_name("false_alarms")  # a file for each language
SHORT = {"zh-hans": "zh"}  # the file of a language that is not named like it


@dataclass(frozen=True, slots=True)
class Trial:
    """How many public posts were checked, those that the filter would have caught, and the newest of these as cards.
    `harmless` are the false alarms that it would give, by the code of their language."""

    tried: int
    hits: list[Pointer]
    posts: list[PostCard]
    harmless: Mapping[str, list[str]]

    @property
    def met(self) -> int:
        return len(self.hits)

    @property
    def harmless_count(self) -> int:
        return sum(map(len, self.harmless.values()))


@access_pattern
def try_word_rule(word: Word, *, viewer: Viewer) -> Trial:
    """Compares the newest public posts with a word filter, and the harmless words that such filters catch by mistake.

    At most 32 Queries for the pointers, two BatchGetItem of 0.5 read units a post, and one of at most 40 for those that
    are shown.
    """
    found = reading.fetch(
        keys.post(pointer.author_id, pointer.post_id) for pointer in newest_public(POSTS_TRIED)
    )
    public = [raw for raw in found.values() if "audience" not in raw and "withheld" not in raw]
    met = [raw for raw in public if matches(_words(raw), [word])]
    hits = list(map(pointer_of, met))
    posts = get_posts(islice(hits, POSTS_SHOWN), viewer=viewer)
    return Trial(len(public), hits, posts, false_alarms(word))


def false_alarms(word: Word) -> dict[str, list[str]]:
    """Returns the harmless words and phrases that a filter would catch, by the code of their language."""
    found = {
        code: [one for one in harmless_words(code) if matches(one, [word])]
        for code, _ in settings.LANGUAGES
    }
    return {code: words for code, words in found.items() if words}


@cache
def harmless_words(code: str) -> tuple[str, ...]:
    """Returns the words and phrases in a language that filters often catch by mistake."""
    lines = (FALSE_ALARMS / f"{SHORT.get(code, code)}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def _words(raw: RawItem) -> str:
    post = row(Post, raw)
    return words_of(said_by(post), post.warning or "")
