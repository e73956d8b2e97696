"""What the pages of one post share: finding a post whose traces are taken back (that never asks whether one may still
see it), the answers of dialogs that change the card behind them (the card says in `drawn` how it was drawn), and the
link previews of posts and people."""

from contextlib import suppress
from html import unescape
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from accounts.people.cards import PersonCard
from accounts.requests import SiteRequest, safe_target
from feed.cards.post_card import PostCard, ShownPhoto
from feed.cards.reads import get_post
from socialsite.table import NotFound
from socialsite.web.fragments import HtmxRequest, cursor_of, page_or_fragment
from socialsite.web.rich_text import LinkPreview, absolute, beginning


def find_post(request: SiteRequest, post_id: str, *, undoes: bool) -> PostCard | None:
    """Returns the post of the address. Raises `NotFound` if the viewer may not see it, but returns None if they only
    take something back: then the answer is the same whatever the post, its author or the viewer's deed is or was."""
    with suppress(*([NotFound] if undoes else [])):
        return get_post(post_id, request.people.person_id, viewer=request.user)
    return None


def answer_undone(request: SiteRequest, text: str) -> HttpResponse:
    """Answers once something was taken back from a post that cannot be shown. Its row or button goes."""
    messages.success(request, text)
    if request.htmx:
        return HttpResponse()
    return redirect(safe_target(request))


DRAWN = {"detail", "joined"}  # how a card may be drawn, besides as in lists


def address_of(request: SiteRequest, url: str) -> str:
    """Returns where the form goes."""
    drawn = request.GET.get("drawn", "")
    return f"{url}?drawn={drawn}" if drawn in DRAWN else url


def in_dialog(
    request: SiteRequest, page: str, fragment: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Answers with the form: the page, or the fragment in the dialog, also when the form was sent from there."""
    response = page_or_fragment(request, page, fragment, context, status=status)
    return reswap(retarget(response, "#modal"), "innerHTML")


def in_place(request: SiteRequest, post: PostCard) -> HttpResponse:
    """Answers what was changed: htmx gets the card in place of the old one, everyone else a redirect to the post."""
    if not request.htmx:
        return redirect(f"{post.url}#post-{post.post_id}")
    drawn = request.GET.get("drawn")
    context = {
        "card": post,
        "detail": drawn == "detail",
        "hides_answered": drawn == "joined",
        "came_from": request.htmx.current_url_abs_path or post.url,
    }
    return render(request, "feed/editing/_changed.html", context)


def preview_of_post(request: HtmxRequest, post: PostCard) -> LinkPreview:
    """Returns the preview of a post's page: the author's name and picture, and the beginning of the text. A post that
    is not for everyone has none."""
    url = request.build_absolute_uri(post.url)
    if not is_for_everyone(post):
        return LinkPreview(url, is_indexed=False)
    return LinkPreview(
        url,
        is_indexed=post.author.is_indexed,
        title=name_and_handle(post.author),
        description=beginning(shown_text(post)),
        kind="article",
        image=absolute(request, _share_of(post) or post.author.avatar_url),
        is_large=bool(_share_of(post)),
    )


def preview_of_photo(request: HtmxRequest, post: PostCard, photo: ShownPhoto) -> LinkPreview:
    """Returns the preview of a photo's page, with the photo unless its post is covered."""
    url = request.build_absolute_uri(photo.url)
    if not is_for_everyone(post):
        return LinkPreview(url, is_indexed=False)
    shown = "" if post.is_covered else photo.share_url
    return LinkPreview(
        url,
        is_indexed=post.author.is_indexed,
        title=name_and_handle(post.author),
        description=shown_text(post) if post.is_covered else beginning(photo.says),
        kind="article",
        image=absolute(request, shown or post.author.avatar_url),
        is_large=bool(shown),
    )


def _share_of(post: PostCard) -> str:
    """Returns the picture that other sites show of a post: its first photo, if everyone may see it and it is not
    covered."""
    return post.photos[0].share_url if post.photos and not post.is_covered else ""


def preview_of_profile(
    request: HtmxRequest, person: PersonCard, *, is_blocked: bool
) -> LinkPreview:
    """Returns the preview of a profile: name, picture and bio. People whom the viewer blocked have none, because their
    profile shows only the name."""
    url = request.build_absolute_uri(person.url)
    if is_blocked:
        return LinkPreview(url, is_indexed=False)
    return LinkPreview(
        url,
        is_indexed=person.is_indexed and not cursor_of(request),
        title=name_and_handle(person),
        description=beginning(person.bio) or posts_by(person),
        kind="profile",
        image=absolute(request, person.avatar_url),
    )


def is_for_everyone(post: PostCard) -> bool:
    """Whether visitors can see a post that the viewer can see, by what its card says."""
    is_archived = post.post_id < post.author.archived_before
    return not (post.audience or post.withheld or is_archived)


def name_and_handle(person: PersonCard) -> str:
    return f"{person.name} (@{person.handle})"


def shown_text(post: PostCard) -> str:
    """Returns the text of a post without HTML, or a sentence in its place where pages cover it."""
    if post.is_sensitive:
        return _("This post is marked as sensitive.")
    if post.warning:
        return _("Content warning: %(warning)s") % {"warning": post.warning}
    text = unescape(strip_tags(post.html)) or posts_by(post.author)
    return f"{text}\n{post.poll.told}" if post.poll else text


def posts_by(person: PersonCard) -> str:
    return _("Posts by %(name)s on socialsite.") % {"name": person.name}
