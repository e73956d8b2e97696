"""All seeded bugs, by the sentence that says what is wrong."""

from tests.faults.seeded_in_composing import COMPOSING
from tests.faults.seeded_in_editing import EDITING
from tests.faults.seeded_in_expiring import EXPIRY
from tests.faults.seeded_in_feed import FEED
from tests.faults.seeded_in_moderation import MODERATION
from tests.faults.seeded_in_notifications import NOTIFICATIONS
from tests.faults.seeded_in_photos import PHOTOS
from tests.faults.seeded_in_polls import POLLS
from tests.faults.seeded_in_streams import STREAMS
from tests.faults.seeded_in_table import TABLE
from tests.faults.seeded_in_tags import TAGS
from tests.faults.seeded_in_threads import THREAD_BUGS
from tests.faults.seeded_in_timelines import TIMELINES

ALL = (
    *(*STREAMS, *FEED, *TIMELINES, *EXPIRY, *POLLS, *THREAD_BUGS, *EDITING),
    *(*COMPOSING, *PHOTOS),
    *(*MODERATION, *NOTIFICATIONS, *TABLE, *TAGS),
)
BUGS = {one.name: one for one in ALL}
