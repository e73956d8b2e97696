"""Posts in many languages: written ones first, composed ones without end."""

import random
import zlib

from socialsite.demo.texts import ar, de, el, en, es, fr, he, hi, ja, ko, pt, ru, tr, uk, vi, zh
from socialsite.demo.texts.language import Language, compose_from
from socialsite.demo.texts.own import OWN_POSTS

MODULES = (en, de, zh, fr, es, pt, ja, ko, ar, he, hi, ru, uk, el, tr, vi)
LANGUAGES: dict[str, Language] = {module.LANGUAGE.code: module.LANGUAGE for module in MODULES}
MOST_TRIES = 30


def language_codes() -> list[str]:
    """All languages that posts can be written in."""
    return list(LANGUAGES)


def written_posts(language: str) -> tuple[str, ...]:
    """The hand-written posts of a language; English ones for a language that is not known."""
    return LANGUAGES.get(language, en.LANGUAGE).posts


def compose_post(rng: random.Random, language: str) -> str:
    """Make a post out of the language's grammar; some texts come twice in a long series."""
    return compose_from(rng, LANGUAGES.get(language, en.LANGUAGE))


class PostWriter:
    """Writes posts one after the other: each hand-written one once, then composed ones.

    Repetitions are avoided, so that even a million posts look different.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.written = {
            code: rng.sample(language.posts, len(language.posts))
            for code, language in LANGUAGES.items()
        }
        self.own = {handle: list(reversed(posts)) for handle, posts in OWN_POSTS.items()}
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
            text = compose_post(self.rng, language)
            # A checksum instead of the text keeps a million posts small in memory.
            key = zlib.crc32(text.encode())
            if key not in self.seen:
                self.seen.add(key)
                break
        return text
