"""`{% post_menu card %}` for the frozen templates: a copy of the tag as it was when they were copied.

Each process keeps the menus that it drew, as the site did then.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from feed.cards.post_card import PostCard

register = template.Library()

KEPT = 2048  # menus, about 3 KB each


@register.simple_tag(takes_context=True)
def post_menu(context: RequestContext, card: PostCard) -> SafeString:
    """Returns the menu of someone's post on the page that is drawn."""
    viewer = context["request"].user
    return _draw_once(
        language=get_language(),
        url=card.url,
        author_url=card.author.url,
        handle=card.author.handle,
        name=card.author.name,
        is_own=card.is_own,
        is_reply=card.is_reply,
        has_photos=bool(card.photos),
        can_be_quoted=card.can_be_quoted,
        can_withdraw_quote=card.can_withdraw_quote,
        in_own_thread=card.is_reply and card.thread[1] == viewer.user_id,
        is_set_aside=False,
        here=str(context.get("came_from") or context["request"].get_full_path()),
        place=str(context.get("place", "")),
        detail=bool(context.get("detail")),
        is_pinned=bool(context.get("is_pinned")),
        author_id=card.author.user_id if viewer.is_staff and not card.is_own else "",
        drawn="",
    )


@lru_cache(KEPT)
def _draw_once(**menu: Any) -> SafeString:
    return mark_safe(render_to_string("feed/_post_menu.html", menu, using="plain"))
