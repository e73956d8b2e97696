"""What the pages of the site's set-up show: the words of rules and templates in each language of the site and which are
missing, the invitations, that the site is slowed down, and a word filter tried before it is saved, on the newest posts
and on harmless words in the site's languages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path

from django.conf import settings

from accounts.people.cards import moment_text
from accounts.people.viewer import Viewer
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.polls.models import said_by
from feed.posts.content_checks import words_of
from feed.posts.models import Post
from feed.posts.reads import Pointer, pointer_of
from feed.timelines.local import newest_public
from socialsite.site_settings.models import Invite
from socialsite.site_settings.site_setup import Preset, Rule, SiteRules, in_language, site_languages
from socialsite.site_settings.word_filters import Word, matches
from socialsite.table import RawItem, access_pattern, keys, query, reading, row


class State(StrEnum):
    WRITTEN = "written"
    BUILT_IN = "built in"
    STANDARD = "standard"  # built in, while staff wrote words of their own in another language
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class InLanguage:
    """One text in one language, as the pages of staff show it."""

    code: str
    name: str
    state: State

    @property
    def lacks(self) -> bool:
        return self.state in (State.STANDARD, State.MISSING)


def languages_of(one: Rule | Preset) -> list[InLanguage]:
    """Returns each language of the site, with how it stands there."""
    names = dict(settings.LANGUAGES)
    return [InLanguage(code, names[code], _state(one, code)) for code in site_languages()]


def list_gaps(texts: Sequence[Rule | Preset]) -> list[tuple[str, int]]:
    """Returns the name of each language that lacks words, with in how many of these texts."""
    rows = [languages_of(one) for one in texts]
    counts = [
        (column[0].name, sum(cell.lacks for cell in column)) for column in zip(*rows, strict=True)
    ]
    return [(name, count) for name, count in counts if count]


def shown_language(one: Rule | Preset, language: str) -> str:
    """Returns the language of the words that readers of this one see."""
    if language in one.written or _is_built_in(one):
        return language
    return in_language({code: code for code in one.written}, language) or language


def _state(one: Rule | Preset, language: str) -> State:
    if language in one.written:
        return State.WRITTEN
    if not _is_built_in(one):
        return State.MISSING
    return State.STANDARD if any(words.title for words in one.written.values()) else State.BUILT_IN


def _is_built_in(one: Rule | Preset) -> bool:
    return isinstance(one, Rule) and one.is_built_in


@dataclass(frozen=True, slots=True)
class InviteCard:
    code: str
    uses_left: int
    comment: str
    until: datetime

    @property
    def path(self) -> str:
        return f"/signup?invite={self.code}"


@access_pattern
def list_invites() -> list[InviteCard]:
    """Returns all invitations that have not ended, used-up ones included, in the order in which they end. One
    consistent Query, 1 read unit per 4 KB."""
    invites = [
        InviteCard(
            code=invite.code,
            uses_left=int(invite.uses_left),
            comment=invite.comment,
            until=invite.ttl,
        )
        for invite in (row(Invite, raw) for raw in query(keys.invites(), consistent=True))
    ]
    return sorted(invites, key=lambda invite: invite.until)


def slow_context(site: SiteRules) -> dict[str, str]:
    """Returns the context of `moderation/rules/_slow_down.html`: the end in words, empty if the site is as usual."""
    return {"slow_until": moment_text(site.slow_until) if site.is_slow else ""}


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
    are shown. In all at most 230 read units.
    """
    found = reading.fetch(
        keys.post(pointer.author_id, pointer.post_id) for pointer in newest_public(POSTS_TRIED)
    )
    public = [raw for raw in found.values() if "audience" not in raw and "withheld" not in raw]
    met = [raw for raw in public if matches(_words(raw), [word])]
    hits = list(map(pointer_of, met))
    posts = get_posts(islice(hits, POSTS_SHOWN), viewer=viewer, quiet=None)
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
