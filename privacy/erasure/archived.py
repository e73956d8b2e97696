"""What the archive holds of people who were erased. Lines of theirs go, and lines that name them name nobody."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from privacy.erasure.leftovers import NOBODY, is_theirs
from socialsite.streams.archive import list_files, read_text, write_text

FILES_A_STEP = 100


def next_files(after: str) -> list[str]:
    """Returns the names of the next files of the archive, in the order of their names."""
    return sorted(name for name in list_files() if name > after)[:FILES_A_STEP]


def clear_files(names: Iterable[str], erased: Collection[str]) -> Counter[str]:
    """Writes each file anew that names someone who was erased, without them. Returns how many lines named whom. Safe to
    repeat: a file without any such line stays as it is."""
    found: Counter[str] = Counter()
    for name in names:
        text = read_text(name)
        named = [user_id for user_id in erased if user_id in text]
        if named:
            lines = text.splitlines(keepends=True)
            found.update(user_id for user_id in named for line in lines if user_id in line)
            write_text(name, "".join(_without(line, named) for line in lines))
    return found


def _without(line: str, named: Sequence[str]) -> str:
    """Returns the line without these people, empty if it is of one of them."""
    if is_theirs(json.loads(line)["item"], named):
        return ""
    for user_id in named:
        line = line.replace(user_id, NOBODY)
    return line
