"""What publishing or scheduling takes from the shelf, in its own transaction: the draft that the composer continued."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from accounts.viewer import Viewer
from feed.models import Draft, Submission
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Delete, Put, WriteAction
from socialsite.table.as_read import Moved
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row

MARK_DAYS = 1  # longer than a saving can be on its way


@dataclass(frozen=True, slots=True)
class Seen:
    """A draft as a page knows it. `version` is None before the page began to save, 0 while its first saving is on its
    way. `writer` names what saves it: the tabs of a browser that show one text are one writer, and so are the pages
    that it opens one after the other. `turn` counts the writer's savings."""

    draft_id: str = ""
    version: int | None = None
    writer: str = ""
    turn: int = 0

    def is_latest(self, raw: RawItem) -> bool:
        """Whether the page knows what this raw `Draft` says: it has seen it, or its own browser has saved it last, and
        only the answer was lost."""
        draft = row(Draft, raw)
        return int(draft.version) == (self.version or 0) or self._wrote(draft)

    def is_late(self, raw: RawItem) -> bool:
        """Whether a later saving of the same writer came first."""
        draft = row(Draft, raw)
        return self._wrote(draft) and 0 < self.turn <= int(draft.turn or 0)

    def _wrote(self, draft: Draft) -> bool:
        return self.writer != "" and self.writer == draft.writer


@dataclass(frozen=True, slots=True)
class Taken:
    """The actions that take the draft. `stays` says that another page has changed it since, so that it is kept."""

    actions: Sequence[WriteAction] = ()
    stays: bool = False


@access_pattern
def take_draft(*, by: Viewer, seen: Seen) -> Taken:
    """Returns the actions that delete the draft that a page has `seen`, for the transaction that publishes or schedules
    it. They raise `Moved` if it is saved meanwhile.

    Nothing if the page never began to save. Else one consistent BatchGetItem, 1 read unit for 4 KB; 2 write units. If
    the first saving may still be on its way, a mark keeps it out, 2 more.
    """
    if not seen.draft_id or seen.version is None:
        return Taken()
    place = keys.draft(by.user_id, seen.draft_id)
    raw = fetch([place], consistent=True).get(place)
    if raw and not seen.is_latest(raw):
        return Taken(stays=True)
    actions: list[WriteAction] = []
    if raw:
        same = Draft.version == int(row(Draft, raw).version)
        actions.append(Delete(place, same, otherwise=Moved))
    if not seen.version:
        actions.append(Put(_mark(by.user_id, seen.draft_id)))
    return Taken(actions)


def mark_of(user_id: str, draft_id: str) -> Key:
    """Returns the key that says that what a page was about to save was published."""
    return keys.submission(user_id, f"draft-{draft_id}")


def _mark(user_id: str, draft_id: str) -> Submission:
    end = utc_now() + timedelta(days=MARK_DAYS)
    return Submission.new(user_id=user_id, nonce=f"draft-{draft_id}", post_id=draft_id, ttl=end)
