"""What a person was notified of."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from notifications.kinds import FROM_NOBODY, OF_POSTS
from notifications.kinds import Kind as Told
from notifications.models import Notification
from privacy.export.fields import MOMENT, NUMBER, PERSON, POST_OR_NONE, Field, Record, many, one_of
from privacy.export.kinds import Kind
from privacy.export.owner import Owner, name_people
from privacy.export.records.posts import moment_of
from socialsite.table.reading import RawItem
from socialsite.table.row import row

WITHOUT_PEOPLE = OF_POSTS | FROM_NOBODY  # in whose items others stand in their place
WORDS = {kind.value: kind.name.lower().replace("_", " ") for kind in Told}

NOTIFICATIONS = Kind(
    "notifications",
    _("Notifications"),
    {
        "kind": Field(one_of(*WORDS.values()), "What it was about."),
        "began_at": Field(MOMENT, "When the first of its people did it, in UTC."),
        "people": Field(NUMBER, "How many people did it, or how many posts there were."),
        "some_of_them": Field(many(PERSON), "At most eight of these people."),
        "post": Field(POST_OR_NONE, "The post it was about, null for none."),
    },
    (
        (_("When"), "began_at"),
        (_("Kind"), "kind"),
        (_("Person"), "some_of_them"),
        (_("Post"), "post"),
    ),
)


def notification_lines(owner: Owner, raws: Sequence[RawItem]) -> Iterator[tuple[str, Record]]:
    """Yields what the person was told in the last 90 days, the oldest first."""
    rows = [row(Notification, raw) for raw in raws]
    handles = name_people(
        user_id for one in rows for user_id in (*_people_of(one), str(one.author_id))
    )
    for one in rows:
        yield (
            NOTIFICATIONS.name,
            {
                "kind": WORDS[one.kind],
                "began_at": moment_of(one.place),
                "people": int(one.people),
                "some_of_them": [owner.person(user_id, handles) for user_id in _people_of(one)],
                "post": owner.post_or_none(str(one.post_id), str(one.author_id), handles),
            },
        )


def _people_of(one: Notification) -> Sequence[str]:
    return () if one.kind in WITHOUT_PEOPLE else tuple(one.actors)
