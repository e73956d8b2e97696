"""A post of the demo once it has its moment and id."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from feed.models import Answer, Poll, Post, Quoted
from feed.polls.wish import PollWish
from feed.seed import mentioned_people
from operations.demo.composed import DemoPhoto, DemoPost
from operations.demo.content import NO_MARKS, Marks
from socialsite.table import keys


@dataclass
class Written:
    """A post of the demo, with its author and moment, and the post that it answers or quotes."""

    author: int
    text: str
    moment: datetime
    post_id: str = ""
    marks: Marks = NO_MARKS
    lang: str = ""
    answered: "Written | None" = None
    quoted: "Written | None" = None
    composed: DemoPost | None = None

    @property
    def photos(self) -> Sequence[DemoPhoto]:
        return self.composed.photos if self.composed else ()

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

    def post(self, user_ids: Sequence[str], ids_of: Mapping[str, str]) -> Post:
        """Returns the post as it was published, by the ids of the people, in the order of their numbers and by
        handle."""
        text = self.marks.before or self.text
        return Post.new(
            post_id=self.post_id,
            author_id=user_ids[self.author],
            content=text,
            mentions=mentioned_people(text, ids_of),
            warning=self.marks.warning,
            lang=self.lang,
            answer=self._answer(user_ids),
            quoted=self._quote(user_ids),
            poll=self._poll(),
        )

    def _answer(self, user_ids: Sequence[str]) -> Answer | None:
        if self.answered is None:
            return None
        return Answer(
            self.root.post_id,
            user_ids[self.root.author],
            self.answered.post_id,
            user_ids[self.answered.author],
            self.path,
        )

    def _quote(self, user_ids: Sequence[str]) -> Quoted | None:
        return Quoted(self.quoted.post_id, user_ids[self.quoted.author]) if self.quoted else None

    def _poll(self) -> Poll | None:
        poll = self.composed.poll if self.composed else None
        return PollWish(**asdict(poll)).begun_at(self.moment) if poll else None
