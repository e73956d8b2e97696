"""A post of the demo once it has its moment and id."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from feed.models import Answer, Quoted
from socialsite.table import keys


@dataclass
class Written:
    """A post of the demo, with its author and moment, and the post that it answers or quotes."""

    author: int
    text: str
    moment: datetime
    post_id: str = ""
    answered: "Written | None" = None
    quoted: "Written | None" = None

    @property
    def root(self) -> "Written":
        return self.answered.root if self.answered else self

    @property
    def path(self) -> str:
        """Its path in the thread, empty for the first post."""
        if self.answered is None:
            return ""
        goes_on = self.author == self.root.author and keys.is_of_story(self.answered.path)
        if goes_on:
            return keys.path_of_part(self.post_id)
        return keys.path_of_answer(self.answered.path, self.post_id)

    def answer(self, user_ids: Sequence[str]) -> Answer | None:
        """Returns what it answers, by the ids of the people, in the order of their numbers."""
        if self.answered is None:
            return None
        return Answer(
            self.root.post_id,
            user_ids[self.root.author],
            self.answered.post_id,
            user_ids[self.answered.author],
            self.path,
        )

    def quote(self, user_ids: Sequence[str]) -> Quoted | None:
        return Quoted(self.quoted.post_id, user_ids[self.quoted.author]) if self.quoted else None
