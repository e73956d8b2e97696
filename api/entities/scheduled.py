"""Posts that are published later, as scheduled statuses. Their id is where they lie: their moment and their own id, so
another moment is another id."""

from collections.abc import Sequence
from typing import Any

from accounts.people.viewer import Viewer
from api.entities.account import moment
from api.entities.media import attachment_of
from feed.composing.reads import ScheduledCard
from feed.polls.models import LENGTHS
from photos.models import Photo


def scheduled_of(
    card: ScheduledCard, photos: Sequence[Photo], here: str, viewer: Viewer
) -> dict[str, Any]:
    """Returns a scheduled post, with its photos as they are there now."""
    composed, poll = card.composition, card.composition.poll
    asked = poll and {
        "options": list(poll.options),
        "expires_in": str(int(LENGTHS[poll.length].total_seconds())),
        "multiple": poll.several,
        "hide_totals": not poll.early,
    }
    return {
        "id": str(card.slot),
        "scheduled_at": moment(card.slot.publish_at),
        "params": {
            "text": composed.content,
            "poll": asked,
            "media_ids": list(composed.photos) or None,
            "sensitive": bool(composed.warning),
            "spoiler_text": composed.warning or None,
            "visibility": "private" if composed.audience else "public",
            "in_reply_to_id": None,
            "language": composed.lang or None,
            "application_id": 0,
            "scheduled_at": None,
            "idempotency": None,
            "with_rate_limit": False,
            # The site's own words.
            "audience": composed.audience or "everyone",
            "expires_in": composed.expires_in,
            "replies": composed.replies or "everyone",
            "further": len(composed.parts),  # posts of a story that was written on the site
        },
        "media_attachments": [attachment_of(one, here, viewer) for one in photos],
    }
