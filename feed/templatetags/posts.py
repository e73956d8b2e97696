"""`{% post_card card %}`: a post with its menu and buttons, as all pages show it.

The menu is the same for everyone who meets the post on the same page, and takes longer than the rest of the card, so
each process draws it once and keeps the last few thousand.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.conf import settings
from django.template import Engine, Template
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, permissions_for_menus
from feed.cards.post_card import PostCard
from feed.cards.reads import UnseenPost
from feed.cards.ready_strings import NO, in_runs, is_rare, strings_of

register = template.Library()

KEPT = 2048  # menus, about 3 KB each
LONGEST_KEPT = 500  # characters of the address of their page


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
    left: bool | None  # whether the viewer is told of replies, where that is known
    drawn: str  # how an edited card takes its place again, of one's own posts


class Drawn(NamedTuple):
    """How a card is drawn, besides as in lists."""

    detail: bool = False  # on its own page
    left: bool | None = (
        None  # the viewer is not told of its conversation; None where that was not read
    )
    quiet: bool = False  # to be looked at: without buttons
    swapped: bool = False  # in place of the one that was shown
    hides_answered: bool = False  # below the post that it answers
    is_pinned: bool = False
    place: str = ""  # the list that it stands in, where its menu must know
    came_from: str = ""  # the page to come back to, if that is not the address at hand
    node: Any = None  # of a conversation


class PageOfCards(NamedTuple):
    """What all cards of a page share."""

    template: Template
    language: str | None
    viewer: Viewer
    here: str
    may_look_up: bool  # people, as some of the staff


@register.simple_tag(takes_context=True)
def post_card(context: RequestContext, card: PostCard | UnseenPost, **options: Any) -> SafeString:
    """Draws a card, or what stands for a post that may not be seen. The options are those of `Drawn`."""
    if isinstance(card, UnseenPost):
        return render_to_string("feed/_unseen.html", {"post": card}, context["request"])
    page, drawn = _page_of(context), Drawn(**options)
    is_open = not (drawn.quiet or card.withheld)
    shown = {
        **strings_of(card, page.language, page.viewer),
        "menu": _menu_of(card, page, drawn),
        "is_rare": drawn.detail or drawn.swapped or is_rare(card),
        "has_actions": is_open,
        "has_slot": is_open and not (drawn.detail or drawn.swapped),
        "detail": drawn.detail,
        "quiet": drawn.quiet,
        "swapped": drawn.swapped,
        "hides_answered": drawn.hides_answered,
        "card": card,
    }
    with context.push(shown):
        drawn_card = page.template.render(context)
    return _folded(card, drawn_card) if card.muted_by else drawn_card


def _folded(card: PostCard, drawn: SafeString) -> SafeString:
    """Returns a card behind a line that says which muted word it has, and opens it without scripts."""
    return render_to_string("feed/_muted.html", {"word": card.muted_by, "card": drawn})


def _page_of(context: RequestContext) -> PageOfCards:
    kept: dict[Any, Any] = context.render_context.dicts[0]  # as Django's `include` does
    page: PageOfCards | None = kept.get(PageOfCards)
    if page is None:
        request, language = context["request"], get_language()
        engine = context.template.engine if context.template else Engine.get_default()
        page = kept[PageOfCards] = PageOfCards(
            template=in_runs(engine.get_template("feed/_post.html")),
            language=language,
            viewer=request.user,
            here=request.get_full_path(),
            may_look_up=Permission.PEOPLE in permissions_for_menus(request.user),
        )
    return page


def _menu_of(card: PostCard, page: PageOfCards, drawn: Drawn) -> SafeString:
    viewer, node = page.viewer, drawn.node
    if drawn.quiet or not viewer.is_authenticated:
        return NO
    in_own_thread = card.is_reply and card.thread[1] == viewer.user_id
    menu = Menu(
        language=page.language,
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
        here=drawn.came_from or page.here,
        place=drawn.place,
        detail=bool(drawn.detail),
        is_pinned=drawn.is_pinned,
        author_id=card.author.user_id if page.may_look_up and not card.is_own else "",
        left=drawn.left,
        drawn=_drawn(drawn) if card.is_own else "",
    )
    if settings.DEBUG or len(menu.here) > LONGEST_KEPT:
        return _draw(menu)
    return _draw_once(menu)


def _drawn(drawn: Drawn) -> str:
    if drawn.detail:
        return "detail"
    return "joined" if drawn.hides_answered else ""


def _draw(menu: Menu) -> SafeString:
    drawn = render_to_string("feed/_post_menu.html", menu._asdict())
    # Entries that are not there leave lines empty: a hundred bytes of a first visit.
    return mark_safe("\n".join(filter(None, drawn.split("\n"))))  # noqa: S308 - a template's output


_draw_once = lru_cache(KEPT)(_draw)
