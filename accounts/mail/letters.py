"""What letters are: a subject, a few paragraphs and perhaps a button, from which text and HTML are made.

Each letter is a function in a file of what it is about (`security_letters.py`), registered by its name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from accounts.mail.recipients import Recipient, find_recipient

Facts = Mapping[str, str]
Write = Callable[[Recipient, Facts], "Letter | None"]
Find = Callable[[Facts], Recipient | None]


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter says, in the language of the moment. The button leads to a path of the site."""

    subject: str
    paragraphs: tuple[str, ...]
    button: str = ""
    path: str = ""
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterKind:
    """How a letter is written, how its recipient is found, and how long it is of use."""

    write: Write
    find: Find
    life: timedelta


LETTERS: dict[str, LetterKind] = {}


def owner(facts: Facts) -> Recipient | None:
    """Finds the person for whom the letter was posted."""
    return find_recipient(facts["user"])


def letter(
    name: str, *, find: Find = owner, life: timedelta = timedelta(days=3)
) -> Callable[[Write], Write]:
    """Registers the function that writes a letter. It returns None if the letter is not wanted any more."""

    def register(write: Write) -> Write:
        LETTERS[name] = LetterKind(write, find, life)
        return write

    return register
