"""What a person's own lists of relationships are filtered by: in part by DynamoDB, in part here."""

from dataclasses import dataclass

from pynamodb.expressions.condition import Condition

from accounts.circles import named
from accounts.viewer import Viewer
from relations.models import Relation
from relations.relation import fold_gender, note_of
from relations.spelling import fold
from socialsite.table.reading import RawItem
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a list. Empty fields filter nothing. Texts are compared folded, as in the directory."""

    tag: str = ""  # the id of a circle
    location: str = ""
    gender: str = ""
    text: str = ""  # in the note or the name of a circle

    @property
    def exact(self) -> Condition:
        """Returns what DynamoDB can compare: not ended, the circle, and place and pronouns by their folded copies, a
        part of the place or whole words of the pronouns. It does so after reading, for the same units, but sends only
        what is left. What has no folded copy yet is left to `fit`."""
        ended = Relation.delete_status
        condition = ended.does_not_exist() | (ended == False)  # noqa: E712 - for DynamoDB
        if self.tag:
            condition &= Relation.tags.contains(self.tag)
        for folded, plain, asked in (
            (Relation.folded_location, Relation.location, fold(self.location)),
            (Relation.folded_gender, Relation.gender, fold_gender(self.gender)),
        ):
            if asked:
                earlier = folded.does_not_exist() & plain.exists()
                condition &= folded.contains(asked) | earlier
        return condition

    def fit(self, raw: RawItem, viewer: Viewer) -> bool:
        """Whether a relationship fits what DynamoDB cannot compare: notes, which are sealed, names of circles, and
        copies from before they were folded."""
        relation = row(Relation, raw)
        return (
            fold(self.location) in fold(relation.location)
            and fold_gender(self.gender) in fold_gender(relation.gender)
            and (not self.text or fold(self.text) in self._said(raw, viewer))
        )

    def _said(self, raw: RawItem, viewer: Viewer) -> str:
        names = (circle.name for circle in named(viewer.circles, row(Relation, raw).tags))
        return fold(" ".join((note_of(raw, owner_id=viewer.user_id), *names)))


NO_FILTERS = Filters()
