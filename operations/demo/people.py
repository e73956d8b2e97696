"""The people of a demonstration: some written by hand, and as many more as wanted."""

import random
import re
import unicodedata
from collections.abc import Iterator

from operations.demo.content import DemoPerson, Language, Names, first_people, languages

# Letters that Unicode does not take apart into a Latin letter and a mark.
PLAIN_LETTERS = str.maketrans({"ß": "ss", "ı": "i", "ø": "o", "đ": "d", "ł": "l", "æ": "ae"})
BARE_NAME_SHARE = 0.12
SYMBOL_SHARE = 0.14
BIO_SHARE = 0.88
PLACE_SHARE = 0.8


def more_people(rng: random.Random, count: int) -> Iterator[DemoPerson]:
    """Yield `count` people put together by chance; no handle is used twice."""
    used = {person.handle: 1 for person in first_people().people}
    spoken = list(languages().values())
    weights = [language.names.weight for language in spoken]
    for language in rng.choices(spoken, weights=weights, k=count):
        yield compose_person(rng, language, used)


def compose_person(rng: random.Random, language: Language, used: dict[str, int]) -> DemoPerson:
    """Put one person together."""
    names = language.names
    given, given_plain = read_name(rng.choice(names.given))
    family, family_plain = read_name(rng.choice(names.family))
    handle = unique_handle(rng, compose_handle(rng, given_plain, family_plain), used)
    return DemoPerson(
        handle=handle,
        name=compose_name(rng, given, family, names),
        bio=compose_bio(rng, names),
        location=rng.choice(names.places) if rng.random() < PLACE_SHARE else "",
        language=language.code,
    )


def read_name(part: str) -> tuple[str, str]:
    """Split `native=latin`; fold a Latin name into plain letters."""
    native, _, latin = part.partition("=")
    return native, latin or plain_letters(native)


def plain_letters(text: str) -> str:
    """Fold a Latin text into the letters a to z."""
    parts = unicodedata.normalize("NFKD", text.lower().translate(PLAIN_LETTERS))
    return re.sub(r"[^a-z]", "", parts)


def compose_name(rng: random.Random, given: str, family: str, names: Names) -> str:
    """The shown name: mostly both names, sometimes one, sometimes with a symbol."""
    if names.family_first:
        # Only scripts without Latin letters write both names without a space.
        name = f"{family} {given}" if family.isascii() or family[0] < "\u0590" else family + given
    else:
        name = f"{given} {family}"
    if rng.random() < BARE_NAME_SHARE:
        name = given
    if rng.random() < SYMBOL_SHARE:
        name += " " + rng.choice(first_people().symbols)
    return name


def compose_bio(rng: random.Random, names: Names) -> str:
    """A few things someone likes; some people say nothing about themselves."""
    if rng.random() > BIO_SHARE:
        return ""
    bio = " · ".join(rng.sample(names.likes, rng.randint(2, 4)))
    bio = bio[0].upper() + bio[1:]
    return f"{bio} {rng.choice(first_people().symbols)}" if rng.random() < SYMBOL_SHARE * 2 else bio


def compose_handle(rng: random.Random, given: str, family: str) -> str:
    """A handle without digits, so that a number behind it keeps it apart from all others."""
    forms = (
        f"{given}_{family}",
        f"{given}{family}",
        f"{family}_{given}",
        f"{given[0]}{family}",
        f"{given}_{rng.choice(first_people().handle_words)}",
        f"{given}_{family}_{rng.choice(first_people().handle_words)}",
    )
    return rng.choice(forms)[:22].strip("_").ljust(3, "_")


def unique_handle(rng: random.Random, base: str, used: dict[str, int]) -> str:
    """Put a number behind a handle that is taken. `used` counts what each base has used up."""
    last = used.get(base)
    if last is None:
        used[base] = 1
        return base
    # Steps of chance look less like a counter; numbers only grow, so none comes twice.
    used[base] = last + rng.randint(1, 6)
    return f"{base}{used[base]}"
