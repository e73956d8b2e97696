"""`{% post_menu card %}`: the menu of a post.

It is the same for everyone who meets the post on the same page, and takes a third of the time of drawing a card, so
each process draws it once and keeps the last few thousand.
"""

from functools import lru_cache
from typing import NamedTuple

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.permissions import Permission, permissions_for_menus
from accounts.viewer import Viewer
from feed.cards import PostCard

register = template.Library()

KEPT = 2048  # menus, about 3 KB each


class Menu(NamedTuple):
    """All that the menu depends on."""

    language: str | None
    url: str
    author_url: str
    handle: str
    name: str
    is_own: bool
    is_reply: bool
    has_photos: bool
    can_be_quoted: bool
    can_withdraw_quote: bool
    in_own_thread: bool  # a reply in a thread of the viewer's
    is_set_aside: bool
    here: str  # the page to come back to
    place: str
    detail: bool
    is_pinned: bool
    author_id: str  # for staff who may look people up, of others' posts
    drawn: str  # how an edited card takes its place again, of one's own posts


@register.simple_tag(takes_context=True)
def post_menu(context: RequestContext, card: PostCard) -> SafeString:
    """Returns the menu of a post on the page that is drawn."""
    viewer, node = context["request"].user, context.get("node")
    in_own_thread = card.is_reply and card.thread[1] == viewer.user_id
    menu = Menu(
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
        in_own_thread=in_own_thread,
        is_set_aside=in_own_thread and node is not None and node.is_set_aside,
        here=str(context.get("came_from") or context["request"].get_full_path()),
        place=str(context.get("place", "")),
        detail=bool(context.get("detail")),
        is_pinned=bool(context.get("is_pinned")),
        author_id=card.author.user_id if _may_look_up(viewer, card) else "",
        drawn=_drawn(context) if card.is_own else "",
    )
    return _draw(menu) if settings.DEBUG else _draw_once(menu)


def _may_look_up(viewer: Viewer, card: PostCard) -> bool:
    return not card.is_own and Permission.PEOPLE in permissions_for_menus(viewer)


def _drawn(context: RequestContext) -> str:
    if context.get("detail"):
        return "detail"
    return "joined" if context.get("hides_answered") else ""


def _draw(menu: Menu) -> SafeString:
    return mark_safe(render_to_string("feed/_post_menu.html", menu._asdict()))  # noqa: S308 - a template's output


_draw_once = lru_cache(KEPT)(_draw)
