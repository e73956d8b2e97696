"""Publishing a scheduled post: when its time comes, by the clock, or at once, by its author.

The post is judged and made at that moment, so its id is that of a new post, which no reader has passed already. One
transaction takes it from the shelf, ends its due item and creates the post. So it is published once, however often and
by however many clocks it is tried.
"""

from accounts.restrictions import Frozen, Unconfirmed
from accounts.viewer import Viewer
from feed.composing.planned import cancel_publishing
from feed.composing.refusing import Reason
from feed.composing.scheduled import ScheduledCard, Slot, find_scheduled
from feed.expiring.counting import TooManyEnding
from feed.models import Audience
from feed.photos.attaching import CannotAttach
from feed.photos.keeping import free_photos
from feed.services.composing.reschedule_post import ScheduledGone
from feed.services.publish_post import publish_post
from feed.verdicts import Refused, TooLarge
from socialsite.table.actions import WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern


class NotPublished(TableError):
    """The post cannot be published now. `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@access_pattern
def publish_scheduled_now(*, by: Viewer, slot: Slot) -> str:
    """Publishes one of the person's scheduled posts at once, and returns the post's id. Raises `NotPublished`,
    `ScheduledGone`, `Conflict`.

    As `find_scheduled` and `publish_scheduled`.
    """

    def attempt() -> str:
        card = find_scheduled(slot, user_id=by.user_id)
        if card is None:
            raise ScheduledGone
        return publish_scheduled(by=by, card=card, ending=cancel_publishing(by.user_id, slot))

    return write_as_read(attempt)


@access_pattern
def publish_scheduled(*, by: Viewer, card: ScheduledCard, ending: WriteAction) -> str:
    """Publishes a scheduled post as it was read, with the action that ends its due item. Raises `NotPublished`, `Moved`
    if it was changed or published since, and what `ending` raises.

    As `judge_post` and `publish_post`, 4 write units more.
    """
    composed = card.composition
    if composed.audience == Audience.CIRCLE and not by.circle_name(composed.circle):
        raise NotPublished(Reason.CIRCLE)
    if by.card is None or by.card.is_locked_out:
        raise NotPublished(Reason.AWAY)
    try:
        by.must_have_voice()
        return publish_post(
            by=by,
            nonce=card.slot.scheduled_id,
            also=(card.taken(), ending),
            **composed.for_service(),
        )
    except Frozen as error:
        raise NotPublished(Reason.FROZEN) from error
    except Unconfirmed as error:
        raise NotPublished(Reason.UNCONFIRMED) from error
    except TooLarge as error:
        raise NotPublished(Reason.LARGE) from error
    except TooManyEnding as error:
        raise NotPublished(Reason.ENDING) from error
    except Refused as error:
        raise NotPublished(Reason.RULES) from error
    except CannotAttach as error:
        if len(free_photos(by, composed.all_photos)) == len(composed.all_photos):
            raise Moved from error  # another clock was at it, too
        raise NotPublished(Reason.PHOTOS) from error
