"""`{% post_card card %}`: a post with its menu and buttons, as all pages show it.

What a card shows is the same for everyone who meets the post in a list of their language, but for its times, its
buttons and the page to come back to. So each process draws it once and keeps it: `KeptCard` names all that it is drawn
from, and nothing else is at hand where it is drawn. The buttons, which show counts and the viewer's own marks, are kept
by themselves. A card with anything rare is drawn each time.
"""

from typing import Any, NamedTuple
from urllib.parse import quote

from django import template
from django.template import Engine, Template
from django.template.context import Context, RequestContext
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, permissions_for_menus
from feed.cards.post_card import PostCard, ShownPhoto
from feed.cards.reads import UnseenPost
from feed.cards.ready_strings import (
    NO,
    Body,
    Buttons,
    body_of,
    buttons_of,
    in_runs,
    is_rare,
    strings_of_body,
    strings_of_buttons,
    times_of,
)
from socialsite.web.drawings import Drawings, new_mark

register = template.Library()

# Of each process. A card has 6 KB with its menu and key, a menu 4, the buttons 3.
BYTES_OF_CARDS, BYTES_OF_MENUS, BYTES_OF_BUTTONS = 16 << 20, 2 << 20, 6 << 20
WHEN, AGO, ACTIONS, HERE = (new_mark() for _ in range(4))


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
    place: str
    detail: bool
    is_pinned: bool
    author_id: str  # for staff who may look people up, of others' posts
    left: bool | None  # whether the viewer is told of replies, where that is known
    drawn: str  # how an edited card takes its place again, of one's own posts


class KeptCard(NamedTuple):
    """All that a card is drawn from which has nothing rare, in a list."""

    body: Body
    menu: Menu | None
    photos: tuple[ShownPhoto, ...]  # which everyone may see
    comes_first: bool  # so that its photo loads at once
    has_actions: bool


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
    is_signed_in: bool
    here: SafeString  # the page to come back to, as a part of an address
    may_look_up: bool  # people, as some of the staff


@register.simple_tag(takes_context=True)
def post_card(context: RequestContext, card: PostCard | UnseenPost, **options: Any) -> SafeString:
    """Draws a card, or what stands for a post that may not be seen. The options are those of `Drawn`."""
    if isinstance(card, UnseenPost):
        return render_to_string("feed/_unseen.html", {"post": card}, context["request"])
    page, drawn = _page_of(context), Drawn(**options)
    if drawn.detail or drawn.swapped or is_rare(card):
        drawn_card = _draw_rare(context, card, page, drawn)
    else:
        drawn_card = _draw_as_most(context, card, page, drawn)
    return _folded(card, drawn_card) if card.muted_by else drawn_card


def _draw_as_most(
    context: RequestContext, card: PostCard, page: PageOfCards, drawn: Drawn
) -> SafeString:
    kept = CARDS.of(
        KeptCard(
            body_of(card, page.language),
            _menu_of(card, page, drawn),
            () if drawn.quiet else card.photos,
            bool(card.photos) and _comes_first(context),
            not drawn.quiet,
        )
    )
    times = times_of(card, page.language)
    shown = kept.replace(WHEN, times["when"]).replace(AGO, times["ago"])
    shown = shown.replace(HERE, _here(page, drawn))
    if not drawn.quiet:
        shown = shown.replace(ACTIONS, _actions_of(card, page))
    return mark_safe(shown)  # noqa: S308 - a template's output, with ready strings in it


def _draw_rare(
    context: RequestContext, card: PostCard, page: PageOfCards, drawn: Drawn
) -> SafeString:
    is_open, menu = not (drawn.quiet or card.withheld), _menu_of(card, page, drawn)
    shown = {
        **strings_of_body(body_of(card, page.language)),
        **times_of(card, page.language),
        "menu": mark_safe(MENUS.of(menu).replace(HERE, _here(page, drawn)))  # noqa: S308 - as above
        if menu
        else NO,
        "photos": NO,
        "actions": _actions_of(card, page, detail=drawn.detail) if is_open else NO,
        "is_rare": True,
        "comes_first": drawn.detail or _comes_first(context),
        "has_actions": is_open,
        "has_slot": is_open and not (drawn.detail or drawn.swapped),
        "detail": drawn.detail,
        "quiet": drawn.quiet,
        "swapped": drawn.swapped,
        "hides_answered": drawn.hides_answered,
        "card": card,
    }
    with context.push(shown):
        return page.template.render(context)


def _draw_card(kept: KeptCard) -> SafeString:
    photos = {"card": {"photos": kept.photos}, "comes_first": kept.comes_first}
    shown = {
        **strings_of_body(kept.body),
        "when": WHEN,
        "ago": AGO,
        "menu": MENUS.of(kept.menu) if kept.menu else NO,
        "photos": render_to_string("feed/photos/_grid.html", photos) if kept.photos else NO,
        "actions": ACTIONS if kept.has_actions else NO,
        "has_slot": kept.has_actions,
    }
    return _template("feed/_post.html").render(Context(shown))


def _draw_buttons(buttons: Buttons) -> SafeString:
    shown = {**strings_of_buttons(buttons), "detail": buttons.detail}
    return _template("feed/_post_actions.html").render(Context(shown))


def _draw_menu(menu: Menu) -> SafeString:
    drawn = render_to_string("feed/_post_menu.html", {**menu._asdict(), "here": HERE})
    # Entries that are not there leave lines empty: a hundred bytes of a first visit.
    return mark_safe("\n".join(filter(None, drawn.split("\n"))))  # noqa: S308 - a template's output


CARDS = Drawings(_draw_card, most_bytes=BYTES_OF_CARDS)
MENUS = Drawings(_draw_menu, most_bytes=BYTES_OF_MENUS)
BUTTONS = Drawings(_draw_buttons, most_bytes=BYTES_OF_BUTTONS)


def _folded(card: PostCard, drawn: SafeString) -> SafeString:
    """Returns a card behind a line that says which muted word it has, and opens it without scripts."""
    return render_to_string("feed/_muted.html", {"word": card.muted_by, "card": drawn})


def _template(name: str) -> Template:
    return in_runs(Engine.get_default().get_template(name))


def _page_of(context: RequestContext) -> PageOfCards:
    kept: dict[Any, Any] = context.render_context.dicts[0]  # as Django's `include` does
    page: PageOfCards | None = kept.get(PageOfCards)
    if page is None:
        request, language = context["request"], get_language()
        page = kept[PageOfCards] = PageOfCards(
            template=_template("feed/_post.html"),
            language=language,
            viewer=request.user,
            is_signed_in=request.user.is_authenticated,
            here=_quoted(request.get_full_path()),
            may_look_up=Permission.PEOPLE in permissions_for_menus(request.user),
        )
    return page


def _comes_first(context: RequestContext) -> bool:
    """Whether the card is the first one of its list."""
    loop: dict[str, Any] | None = context.get("forloop")
    return bool(loop and loop["first"])


def _here(page: PageOfCards, drawn: Drawn) -> SafeString:
    return _quoted(drawn.came_from) if drawn.came_from else page.here


def _quoted(address: str) -> SafeString:
    return SafeString(quote(address, safe=""))


def _actions_of(card: PostCard, page: PageOfCards, *, detail: bool = False) -> SafeString:
    return BUTTONS.of(
        buttons_of(card, page.language, is_signed_in=page.is_signed_in, detail=detail)
    )


def _menu_of(card: PostCard, page: PageOfCards, drawn: Drawn) -> Menu | None:
    if drawn.quiet or not page.is_signed_in:
        return None
    node, author = drawn.node, card.author
    in_own_thread = card.is_reply and card.thread[1] == page.viewer.user_id
    return Menu(
        page.language,
        card.url,
        author.url,
        author.handle,
        author.name,
        card.is_own,
        card.is_reply,
        bool(card.photos),
        card.can_be_quoted,
        card.can_withdraw_quote,
        in_own_thread,
        in_own_thread and node is not None and node.is_set_aside,
        drawn.place,
        bool(drawn.detail),
        drawn.is_pinned,
        author.user_id if page.may_look_up and not card.is_own else "",
        drawn.left,
        _drawn(drawn) if card.is_own else "",
    )


def _drawn(drawn: Drawn) -> str:
    if drawn.detail:
        return "detail"
    return "joined" if drawn.hides_answered else ""
