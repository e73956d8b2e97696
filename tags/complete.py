"""Completes what someone types into a composer: `@` and the beginning of a handle or name, `#` and that of a tag."""

from dataclasses import dataclass

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from relations.directory import search_people
from relations.tag_index import find_tags
from socialsite.texts.found import AT
from socialsite.texts.hashtags import SIGNS

MOST = 8
PEOPLE_READ = 16  # entries of the directory: a person has several
LONGEST = 100  # characters that are looked for


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What can stand in place of what was typed. `person` is None for a tag."""

    text: str
    person: PersonCard | None = None


def complete(typed: str, *, viewer: Viewer) -> list[Suggestion]:
    """Returns at most 8 suggestions for a word with its sign; none for anything else.

    For people what `search_people` takes for 16 entries: those whom the viewer follows come first, the others in the
    order of the directory. For tags what `find_tags` takes.
    """
    sign, word = typed[:1], typed[1 : LONGEST + 1]
    if sign and sign in AT and word:
        people = search_people(word, viewer=viewer, size=PEOPLE_READ).items
        nearest = sorted(people, key=lambda person: not person.followed)[:MOST]
        return [Suggestion(f"@{person.handle}", person) for person in nearest]
    if sign and sign in SIGNS:
        return [Suggestion(f"#{tag}") for tag in find_tags(word, size=MOST)]
    return []
