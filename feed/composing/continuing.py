"""The composer with what a draft or a scheduled post holds."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from accounts.viewer import Viewer
from feed.composing.composition import Composition
from feed.composing.drafts import get_draft
from feed.composing.scheduled import get_scheduled
from feed.forms.posts import PostForm
from feed.forms.story import PartForm
from feed.models import Audience
from feed.photos.tiles import show_kept


def composer_form(viewer: Viewer, asked: Mapping[str, str], *, auto_id: str) -> PostForm:
    """Returns an empty composer, or one with the draft or the scheduled post that the address asks for. Raises
    `NotFound`.

    Nothing for an empty one, else as `get_draft` or `get_scheduled`, and `get_photos` of its photos.
    """
    initial = {"nonce": secrets.token_urlsafe(16)} | _asked_for(viewer, asked)
    form = PostForm(circles=viewer.circles, initial=initial, auto_id=auto_id)
    form.further = [
        PartForm(number=number, auto_id=auto_id, initial=asdict(part))
        for number, part in enumerate(initial.get("parts", ()), 2)
    ]
    kept = [initial.get("photos", ()), *(part.photos for part in initial.get("parts", ()))]
    show_kept([form, *form.further], kept, by=viewer)
    return form


def _asked_for(viewer: Viewer, asked: Mapping[str, str]) -> dict[str, Any]:
    if place := asked.get("scheduled", ""):
        card = get_scheduled(place, viewer=viewer)
        seen = {"scheduled": str(card.slot), "version": card.version}
        when = {"publish_at": card.typed_time, "zone": card.zone}
        return never_wider(card.composition, viewer).as_typed() | seen | when
    if draft_id := asked.get("draft", ""):
        draft = get_draft(draft_id, viewer=viewer)
        known = {"draft": draft_id, "version": draft.version, "continues": draft_id}
        return never_wider(draft.composition, viewer).as_typed() | known
    return {}


def never_wider(composition: Composition, viewer: Viewer) -> Composition:
    """Returns it for its author alone if its circle was deleted: nobody else is chosen by chance."""
    if composition.audience == Audience.CIRCLE and not viewer.circle_name(composition.circle):
        return replace(composition, audience=Audience.ONLY_ME, circle="")
    return composition
