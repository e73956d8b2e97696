"""What the demo knows of one language: finished posts, and a grammar that makes more of them."""

import random
import re
from dataclasses import dataclass

SLOT = re.compile(r"\{(\w+)\}")
CHOICE_END = re.compile(r"[|\n]")
EMOJI_SHARE = 0.25
TAG_SHARE = 0.2
SECOND_SHARE = 0.15
SHORTEST = 20


@dataclass(frozen=True)
class Language:
    """The posts of one language.

    `words` maps a slot to its choices; a choice may hold further `{slots}`. The slots `post`
    (a whole post), `emoji` and `tag` (what may follow it) are always there.
    """

    code: str
    posts: tuple[str, ...]
    words: dict[str, tuple[str, ...]]


def read_posts(block: str, joiner: str = " ") -> tuple[str, ...]:
    """Split a block of posts, divided by lines of `%`.

    Lines of a paragraph are joined; an empty line parts paragraphs; a line that begins with `| `
    stays a line of its own.
    """
    entries = re.split(r"^%$", block, flags=re.MULTILINE)
    return tuple(join_lines(entry.strip(), joiner) for entry in entries if entry.strip())


def join_lines(entry: str, joiner: str) -> str:
    """Undo the line wrapping of one post."""
    text = ""
    for line in entry.splitlines():
        if not line:
            text += "\n\n"
        elif line.startswith("| "):
            text = text if text.endswith("\n\n") or not text else text + "\n"
            text += line[2:]
        else:
            text += line if not text or text.endswith("\n") else joiner + line
    return text


def read_words(**blocks: str) -> dict[str, tuple[str, ...]]:
    """Read the slots of a grammar: choices are parted by `|` or by a new line."""
    return {
        slot: tuple(choice.strip() for choice in CHOICE_END.split(block) if choice.strip())
        for slot, block in blocks.items()
    }


def fill_slots(rng: random.Random, words: dict[str, tuple[str, ...]], text: str) -> str:
    """Replace each `{slot}` of a text by one of its choices."""

    def choose(found: re.Match[str]) -> str:
        return fill_slots(rng, words, rng.choice(words[found[1]]))

    return SLOT.sub(choose, text)


def compose_part(rng: random.Random, words: dict[str, tuple[str, ...]]) -> str:
    """Make one paragraph."""
    text = fill_slots(rng, words, rng.choice(words["post"]))
    return text[0].upper() + text[1:]


def compose_from(rng: random.Random, language: Language) -> str:
    """Make one post out of a language's grammar."""
    words = language.words
    text = compose_part(rng, words)
    if len(text) < SHORTEST or rng.random() < SECOND_SHARE:
        text += "\n\n" + compose_part(rng, words)
    if rng.random() < EMOJI_SHARE:
        text += " " + rng.choice(words["emoji"])
    if rng.random() < TAG_SHARE:
        text += " " + rng.choice(words["tag"])
    return text
