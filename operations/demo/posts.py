"""Posts in many languages: written ones first, composed ones without end."""

import random
import re
import zlib
from collections.abc import Iterator, Sequence

from operations.demo.content import Language, Texts, first_people, languages

SLOT = re.compile(r"\{(\w+)\}")
EMOJI_SHARE = 0.25
TAG_SHARE = 0.2
TAGGED_EACH = 3  # of hand-written posts
SECOND_SHARE = 0.15
SHORTEST = 20
MOST_TRIES = 30


class PostWriter:
    """Writes posts one after the other: each hand-written one once, then composed ones.

    Repetitions are avoided, so that even a million posts look different.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.written = {
            code: list(_with_tags(rng.sample(language.posts, len(language.posts)), language))
            for code, language in languages().items()
        }
        self.own = {one.handle: list(reversed(one.posts)) for one in first_people().people}
        self.seen: set[int] = set()

    def write_post(self, language: str, handle: str = "") -> str:
        """The next post in a language; `handle` lets the first people tell their own stories."""
        for stock in (self.own.get(handle), self.written.get(language)):
            if stock:
                return stock.pop()
        return self.compose_unseen(language)

    def compose_unseen(self, language: str) -> str:
        """Compose until the text is new; a grammar that is used up may repeat itself."""
        text = ""
        for _ in range(MOST_TRIES):
            text = compose_post(self.rng, languages()[language])
            # A checksum instead of the text keeps a million posts small in memory.
            key = zlib.crc32(text.encode())
            if key not in self.seen:
                self.seen.add(key)
                break
        return text


def _with_tags(texts: Sequence[str], language: Language) -> Iterator[str]:
    """Yields hand-written posts, some of them with a tag of their language."""
    tags = language.words["tag"]
    for number, text in enumerate(texts):
        tag = tags[number // TAGGED_EACH % len(tags)]
        yield f"{text} {tag}" if number % TAGGED_EACH == 0 and "#" not in text else text


def compose_post(rng: random.Random, language: Language) -> str:
    """Makes one post out of a language's grammar; some texts come twice in a long series."""
    words = language.words
    text = compose_part(rng, words)
    if len(text) < SHORTEST or rng.random() < SECOND_SHARE:
        text += "\n\n" + compose_part(rng, words)
    if rng.random() < EMOJI_SHARE:
        text += " " + rng.choice(words["emoji"])
    if rng.random() < TAG_SHARE:
        text += " " + rng.choice(words["tag"])
    return text


def compose_part(rng: random.Random, words: dict[str, Texts]) -> str:
    """Makes one paragraph."""
    text = fill_slots(rng, words, rng.choice(words["post"]))
    return text[0].upper() + text[1:]


def fill_slots(rng: random.Random, words: dict[str, Texts], text: str) -> str:
    """Replaces each `{slot}` of a text by one of its choices."""

    def choose(found: re.Match[str]) -> str:
        return fill_slots(rng, words, rng.choice(words[found[1]]))

    return SLOT.sub(choose, text)
