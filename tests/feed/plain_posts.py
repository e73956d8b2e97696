"""`{% post_menu card %}` of the frozen templates in benchmarks/templates/plain, as it was when they were copied."""

from urllib.parse import quote

from django import template
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from accounts.permissions import Permission, permissions_for_menus
from feed.cards.post_card import PostCard

register = template.Library()


@register.simple_tag(takes_context=True)
def post_menu(context: RequestContext, card: PostCard) -> SafeString:
    viewer, node = context["request"].user, context.get("node")
    in_own_thread = card.is_reply and card.thread[1] == viewer.user_id
    may_look_up = Permission.PEOPLE in permissions_for_menus(viewer)
    drawn = "joined" if context.get("hides_answered") else ""
    menu = {
        "url": card.url,
        "author_url": card.author.url,
        "handle": card.author.handle,
        "name": card.author.name,
        "is_own": card.is_own,
        "is_reply": card.is_reply,
        "has_photos": bool(card.photos),
        "can_be_quoted": card.can_be_quoted,
        "can_withdraw_quote": card.can_withdraw_quote,
        "in_own_thread": in_own_thread,
        "is_set_aside": in_own_thread and node is not None and node.is_set_aside,
        "here": quote(str(context.get("came_from") or context["request"].get_full_path()), safe=""),
        "place": str(context.get("place", "")),
        "detail": bool(context.get("detail")),
        "is_pinned": bool(context.get("is_pinned")),
        "author_id": card.author.user_id if may_look_up and not card.is_own else "",
        "drawn": ("detail" if context.get("detail") else drawn) if card.is_own else "",
    }
    return mark_safe(render_to_string("feed/_post_menu.html", menu))
