"""`{% composer_foot form %}` and `{% composer_readers form %}`: the composer's parts beside its text.

Home begins with a composer in which nothing stands yet. Drawing it anew would take a third of the page's time, and
without circles it differs only by what `Blank` names. So each process draws these parts once and keeps the last ones.
They are drawn from `Blank` alone, without the request and the person's own form: what is kept holds nothing of a
person. What is a person's own (token, nonce, draft, avatar, circles) is drawn each time.
"""

from functools import lru_cache
from typing import Any, NamedTuple, TypeGuard

from django import template
from django.conf import settings
from django.forms import Form
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override

from feed.composing.forms import BlankForm, PostForm
from socialsite.web.preferences import Preferences, zone_at_hand

register = template.Library()

KEPT = 256  # of both parts together; a foot has about 15 KB
FOOT, READERS = "feed/composing/_foot.html", "feed/composing/_readers.html"


class Blank(NamedTuple):
    """All that a part of an empty composer depends on."""

    part: str
    language: str | None
    auto_id: str
    zone: str = "UTC"
    has_chosen_zone: bool = False
    reminds_to_describe: bool = False
    has_bar: bool = False
    in_dialog: bool = False


@register.simple_tag(takes_context=True)
def composer_foot(context: RequestContext, form: Form) -> SafeString:
    """Returns what stands below the text of a new post or of a quote."""
    preferences: Preferences = context["preferences"]
    place = {name: bool(context.get(name)) for name in ("has_bar", "in_dialog")}
    if not _is_blank(form):
        quoted = context.get("quoted")
        return _draw(FOOT, form=form, preferences=preferences, quoted=quoted, **place)
    blank = Blank(
        part=FOOT,
        language=get_language(),
        auto_id=str(form.auto_id),
        zone=zone_at_hand(),
        has_chosen_zone=bool(preferences.time_zone),
        reminds_to_describe=preferences.reminds_to_describe,
        **place,
    )
    return _blank(blank)


@register.simple_tag
def composer_readers(form: Form) -> SafeString:
    """Returns the choice who can see a post and who can answer it."""
    if not _is_blank(form):
        return _draw(READERS, form=form)
    if form.circles:
        return _draw(READERS, form=PostForm(circles=form.circles, auto_id=str(form.auto_id)))
    return _blank(Blank(part=READERS, language=get_language(), auto_id=str(form.auto_id)))


def _is_blank(form: Form) -> TypeGuard[PostForm | BlankForm]:
    return isinstance(form, PostForm | BlankForm) and form.is_blank


def _blank(blank: Blank) -> SafeString:
    return _draw_blank(blank) if settings.DEBUG else _draw_blank_once(blank)


def _draw_blank(blank: Blank) -> SafeString:
    zone = blank.zone if blank.has_chosen_zone else ""
    with override(blank.language), timezone.override(blank.zone):
        return _draw(
            blank.part,
            form=PostForm(auto_id=blank.auto_id),
            preferences=Preferences(time_zone=zone, reminds_to_describe=blank.reminds_to_describe),
            has_bar=blank.has_bar,
            in_dialog=blank.in_dialog,
        )


_draw_blank_once = lru_cache(KEPT)(_draw_blank)


def _draw(part: str, **facts: Any) -> SafeString:
    return mark_safe(render_to_string(part, facts))  # noqa: S308 - a template's output
