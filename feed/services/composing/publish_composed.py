"""Publishing what a composer holds, and taking what it continued in the same transaction: a draft, or a post that was
scheduled for later."""

from dataclasses import dataclass
from typing import Any

from accounts.viewer import Viewer
from feed.composing.planned import cancel_publishing
from feed.composing.scheduled import Slot, find_scheduled
from feed.composing.taking import Seen, Taken, take_draft
from feed.services.composing.reschedule_post import ScheduledGone
from feed.services.publish_post import publish_post
from socialsite.table.as_read import write_as_read
from socialsite.table.meter import access_pattern


@dataclass(frozen=True, slots=True)
class Published:
    """`draft_stays` says that the draft was changed on another device since, so that it was kept."""

    post_id: str
    draft_stays: bool = False


@access_pattern
def publish_composed(
    *, by: Viewer, seen: Seen, slot: Slot | None = None, **composed: Any
) -> Published:
    """Publishes a post, and deletes the draft that the page has `seen`, or the scheduled post in `slot`: both or
    neither. Safe to repeat. `composed` are the other keywords of `publish_post`. Raises what that raises, `Conflict`,
    and `ScheduledGone` if the scheduled post is not as the page has seen it.

    As `publish_post`, and nothing more without a draft; else as `take_draft`, or `find_scheduled` and 4 write units.
    """

    def attempt() -> Published:
        taken = _take_scheduled(by, slot, seen) if slot else take_draft(by=by, seen=seen)
        post_id = publish_post(by=by, also=taken.actions, **composed)
        return Published(post_id, taken.stays)

    return write_as_read(attempt)


def _take_scheduled(by: Viewer, slot: Slot, seen: Seen) -> Taken:
    card = find_scheduled(slot, user_id=by.user_id)
    if card is None or card.version != seen.version:
        raise ScheduledGone
    return Taken((card.taken(), cancel_publishing(by.user_id, slot)))
