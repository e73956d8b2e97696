"""What a person has written and not published yet. It is sealed, and only the clock can open it."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from feed.composing.composition import Composition, unseal
from feed.models import Draft, Scheduled
from privacy.export.fields import MOMENT, TEXT, TEXTS, Field, Record, one_of
from privacy.export.kinds import Columns, Kind
from privacy.export.owner import Owner
from socialsite.table.reading import RawItem, key_of
from socialsite.table.row import row

COMPOSED = {
    "text": Field(TEXT, "Its text, as it was typed."),
    "warning": Field(TEXT, "The content warning before it, empty if there is none."),
    "language": Field(TEXT, "The language it is in, empty if you did not say."),
    "audience": Field(
        one_of("everyone", "followers", "friends", "circle", "me"), "Who will see it."
    ),
    "circle": Field(TEXT, "The name of the circle, if it is for one."),
    "who_can_reply": Field(
        one_of("everyone", "followers", "friends", "mentioned", "nobody"), "Who will answer."
    ),
    "disappears_after": Field(TEXT, "How long it will stay, empty for good."),
    "further_posts": Field(TEXTS, "What the further posts of its story say."),
    "photos": Field(TEXTS, "The ids of its photos, with those of its further posts."),
    "poll": Field(TEXTS, "The answers of its poll, none for most."),
}
SEEN: Columns = ((_("Text"), "text"), (_("Content warning"), "warning"))

DRAFTS = Kind(
    "drafts",
    _("Drafts"),
    {
        "id": Field(TEXT, "The id of the draft. Ids sort by time."),
        "saved_at": Field(MOMENT, "When it was last saved, in UTC."),
        "planned_for": Field(MOMENT, "When it should have been published, empty for most."),
        "reason": Field(TEXT, "Why it was not published then, in one word."),
        "chosen_time": Field(TEXT, "The time that you chose, without scheduling it, if any."),
        "time_zone": Field(TEXT, "The time zone of that."),
        **COMPOSED,
    },
    (*SEEN, (_("When"), "saved_at")),
)
SCHEDULED = Kind(
    "scheduled-posts",
    _("Scheduled posts"),
    {
        "id": Field(TEXT, "The id of the scheduled post. Ids sort by time."),
        "publish_at": Field(MOMENT, "When it will be published, in UTC."),
        "time_zone": Field(TEXT, "The time zone in which you chose that moment."),
        **COMPOSED,
    },
    (*SEEN, (_("When"), "publish_at")),
)

Lines = Iterator[tuple[str, Record]]


def draft_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        draft = row(Draft, raw)
        composed = unseal(draft.composition, user_id=owner.user_id, place=key_of(raw))
        yield (
            DRAFTS.name,
            {
                "id": draft.draft_id,
                "saved_at": draft.saved_at,
                "planned_for": draft.planned_for,
                "reason": draft.reason,
                "chosen_time": composed.planned_time,
                "time_zone": composed.planned_zone,
                **_composed(owner, composed),
            },
        )


def scheduled_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        scheduled = row(Scheduled, raw)
        composed = unseal(scheduled.composition, user_id=owner.user_id, place=key_of(raw))
        yield (
            SCHEDULED.name,
            {
                "id": scheduled.scheduled_id,
                "publish_at": scheduled.publish_at,
                "time_zone": scheduled.zone,
                **_composed(owner, composed),
            },
        )


def _composed(owner: Owner, composed: Composition) -> Record:
    return {
        "text": composed.content,
        "warning": composed.warning,
        "language": composed.lang,
        "audience": composed.audience or "everyone",
        "circle": owner.circles.get(composed.circle, ""),
        "who_can_reply": composed.replies or "everyone",
        "disappears_after": composed.expires_in,
        "further_posts": [part.content for part in composed.parts],
        "photos": list(composed.all_photos),
        "poll": list(composed.poll.options) if composed.poll else [],
    }
