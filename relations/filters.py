"""What a person's own lists of people are narrowed down by: a circle, a place, pronouns, words in a note. DynamoDB
compares what it can, Python the rest (docs/concepts/filters.md)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import and_, or_

from pynamodb.expressions.condition import Condition

from accounts.people.viewer import Viewer, named
from relations.models import Relation
from relations.relation import fold_gender, note_of
from socialsite.site_settings.levels import Level
from socialsite.table import RawItem, row
from socialsite.texts import fold


class Pronoun(StrEnum):
    """The fixed choice beside what people type: each finds its words in every language of the site."""

    SHE = "she"
    HE = "he"
    THEY = "they"

    @property
    def words(self) -> tuple[str, ...]:
        return WORDS[self]


WORDS = {
    Pronoun.SHE: ("she", "her", "sie", "她"),
    Pronoun.HE: ("he", "him", "er", "他"),
    Pronoun.THEY: ("they", "them"),
}


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a list. Empty fields filter nothing. Texts are compared folded, as in the directory."""

    tag: str = ""  # the id of a circle
    location: str = ""
    pronoun: Pronoun | None = None
    gender: str = ""  # pronouns as someone typed them
    level: Level | None = None  # that they show
    text: str = ""  # in the note or the name of a circle

    @property
    def exact(self) -> Condition:
        """Returns what DynamoDB can compare: not ended, the circle, and place and pronouns by their folded copies, a
        part of the place or whole words of the pronouns. It does so after reading, for the same units, but sends only
        what is left. What has no folded copy yet is left to `fit`."""
        ended = Relation.delete_status
        conditions = [ended.does_not_exist() | (ended == False)]  # noqa: E712 - for DynamoDB
        if self.tag:
            conditions.append(Relation.tags.contains(self.tag))
        if place := fold(self.location):
            earlier = Relation.folded_location.does_not_exist() & Relation.location.exists()
            conditions.append(Relation.folded_location.contains(place) | earlier)
        for words in self._words():
            earlier = Relation.folded_gender.does_not_exist() & Relation.gender.exists()
            said = map(Relation.folded_gender.contains, words)
            conditions.append(reduce(or_, said, earlier))
        if self.level:
            conditions.append(Relation.level == str(self.level))
        return reduce(and_, conditions)

    def fit(self, raw: RawItem, viewer: Viewer) -> bool:
        """Whether a relationship fits what DynamoDB cannot compare: notes, which are sealed, names of circles, and
        copies from before they were folded."""
        relation = row(Relation, raw)
        gender = fold_gender(relation.gender)
        return (
            fold(self.location) in fold(relation.location)
            and all(any(word in gender for word in words) for words in self._words())
            and (not self.text or fold(self.text) in self._said(raw, viewer))
        )

    def _words(self) -> Iterator[list[str]]:
        """Yields what pronouns must hold: one text of each list."""
        if typed := fold_gender(self.gender):
            yield [typed]
        if self.pronoun:
            yield [fold_gender(word) for word in self.pronoun.words]

    def _said(self, raw: RawItem, viewer: Viewer) -> str:
        names = (circle.name for circle in named(viewer.circles, row(Relation, raw).tags))
        return fold(" ".join((note_of(raw, owner_id=viewer.user_id), *names)))


NO_FILTERS = Filters()
