"""Lines of the inbox as sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape

from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.people.cards import PersonCard
from feed.cards.post_card import PostCard
from feed.notices import POLL_ENDED
from socialsite import keys
from socialsite.telling import Actors, Kind, Line
from socialsite.web.preferences import ago, full_date
from socialsite.web.rich_text import linked_names


@dataclass(frozen=True, slots=True)
class NotificationCard:
    """`named` are at most two of the `people`, who are counted; nobody for a decision of moderators, or a post that was
    not published. `posts` are those of a favourite, of which `post` is one."""

    place: str
    kind: Kind
    named: Sequence[PersonCard]
    people: int
    created: datetime
    is_new: bool
    post: PostCard | None = None
    posts: int = 1

    @property
    def icon(self) -> str:
        return self.kind.icon

    @property
    def iso(self) -> str:
        return self.created.isoformat(timespec="seconds")

    @property
    def ago(self) -> str:
        return ago(self.created)

    @property
    def when(self) -> str:
        return full_date(self.created)

    @property
    def shows_whole_post(self) -> bool:
        return self.kind.shows_whole_post

    @property
    def answer_url(self) -> str:
        """Returns the address of the button beside the line, empty if there is none."""
        return self.kind.answer_url.format(about=self.place[keys.TIME + 1 :])

    @property
    def html(self) -> SafeString:
        """Returns the sentence, with the people as links."""
        is_named = self.kind.actors != Actors.NOBODY
        names = linked_names(self.named, self.people) if is_named else SafeString()
        count = max(self.people, len(self.named))
        return self.kind.sentence(Line(names, count, self.posts, self.post))

    @property
    def outside(self) -> str:
        """Returns the sentence as letters and pushes say it: in words alone, and none of them of a post."""
        if self.kind is POLL_ENDED:  # its sentence has words of the poll
            return gettext("A poll ended")
        return " ".join(unescape(strip_tags(self.html)).split())
