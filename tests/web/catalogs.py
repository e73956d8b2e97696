"""The catalogs of locale/ as tests look at them."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"de": "de", "zh-hans": "zh_Hans"}  # besides English, and the folder of each
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def catalog_file(folder: Path, language: str, kind: str = "po") -> Path:
    return folder / "locale" / LANGUAGES[language] / "LC_MESSAGES" / f"django.{kind}"


@cache
def read_catalog(language: str, folder: Path = ROOT) -> Catalog:
    """Read once, which takes a second."""
    with catalog_file(folder, language).open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(catalog: Catalog) -> Iterator[Message]:
    """All but the header."""
    return (message for message in catalog if message.id)


def sources(message: Message) -> tuple[str, ...]:
    """The English text; singular and plural, where there are both."""
    return tuple(message.id) if message.pluralizable else (message.id,)


def translations(message: Message) -> tuple[str, ...]:
    """The translated text, or its plural forms."""
    return tuple(message.string) if message.pluralizable else (message.string,)


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))
