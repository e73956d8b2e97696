"""A person's page: who they are, their relationship with the viewer, and their posts or replies; the card of them that
other pages show beside their name; and their posts for feed readers."""

from collections.abc import Sequence
from typing import Protocol

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.middleware import MEANT, not_kept
from accounts.people.cards import PersonCard
from accounts.people.reads import find_user_by_handle
from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest
from feed.cards.pages import preview_of_profile
from feed.cards.post_card import PostCard
from feed.cards.reads import UnseenPost
from feed.profiles.reads import (
    feed_path,
    kept_for,
    list_liked,
    list_media,
    list_own_posts,
    list_posts,
    list_replies,
    read_feed,
    write_feed,
)
from feed.publishing.reads import list_pinned
from relations.in_short import get_in_short
from relations.reads import Profile, get_person, get_profile
from socialsite.table import NotFound, Page, ids
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


class ListPosts(Protocol):
    def __call__(
        self, author: PersonCard, *, viewer: Viewer, cursor: str | None
    ) -> Page[PostCard] | Page[PostCard | UnseenPost]: ...


@require_safe
def profile(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows name, bio, counts and posts, newest first. For a blocked person it shows only the name. The link of a
    mention says with `id` whom it means: if they have another handle by now, it leads there."""
    meant = request.GET.get(MEANT, "")
    if ids.is_id(meant) and meant != request.people.holder.user_id:
        return not_kept(get_person(meant, viewer=request.user).url)
    is_own = request.people.person_id == request.user.user_id
    return _profile(request, list_own_posts if is_own else list_posts, "posts")


@require_safe
def replies(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows the same with the person's replies to others."""
    return _profile(request, list_replies, "replies")


@require_safe
def media(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows the same with the person's posts that have photos."""
    return _profile(request, list_media, "media")


@require_safe
def liked(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows people the posts that they like; there is no such page for anyone else."""
    if request.people.person_id != request.user.user_id:
        raise NotFound("people see their own likes alone")
    return _profile(request, list_liked, "likes")


def _profile(request: SiteRequest, list_them: ListPosts, tab: str) -> HttpResponse:
    found = get_profile(request.people.person_id, viewer=request.user)
    blocks = found.relationship.blocks
    context = {
        "person": found.person,
        "relationship": found.relationship,
        "tab": tab,
        "link_preview": preview_of_profile(request, found.person, is_blocked=blocks),
    }
    if not blocks:
        page = list_them(found.person, viewer=request.user, cursor=cursor_of(request))
        context |= {"posts": page.items, **neighbours(request, page)}
        if tab == "posts" and not cursor_of(request):
            context |= _with_pins(found, page.items, request.user)
    return page_or_fragment(request, "feed/profile.html", "feed/_post_page.html", context)


def _with_pins(
    found: Profile, posts: Sequence[PostCard | UnseenPost], viewer: Viewer
) -> dict[str, Sequence[PostCard | UnseenPost]]:
    """Returns the pinned posts, which stand on the first page, and the others, so that none is there twice."""
    pinned = list_pinned(found.person.user_id, found.pins, viewer=viewer)
    ids = {post.post_id for post in pinned}
    return {"pinned": pinned, "posts": [post for post in posts if post.post_id not in ids]}


@require_safe
def card(request: SiteRequest, handle: str) -> HttpResponse:
    """Answers a page with the card that it shows beside the person's name. The link of a mention says with `id` whom it
    means, as on the profile. Opened by itself it is the profile."""
    meant = request.GET.get(MEANT, "")
    if ids.is_id(meant) and meant != request.people.holder.user_id:
        return not_kept(f"{get_person(meant, viewer=request.user).url}/card")
    found = get_in_short(request.people.person_id, viewer=request.user)
    if not request.htmx:
        return not_kept(found.person.url)
    return render(request, "relations/_person_card.html", {"found": found, "person": found.person})


@require_safe
@vary_on_headers("Accept-Encoding")
def atom(request: SiteRequest, handle: str) -> HttpResponse:
    """Returns the feed, the same for everyone: it never looks who asks, so that caches may share it. Only the address
    of a former handle asks, and leads people on who may see the person.

    4 calls, 11.5 read units for 20 posts. A 304 to readers who have it already takes the same, because only the posts
    tell.
    """
    try:
        user_id = find_user_by_handle(handle)
    except NotFound:
        return not_kept(feed_path(get_person(request.people.person_id, viewer=request.user)))
    person, posts = read_feed(user_id)
    response = HttpResponse(write_feed(request, person, posts), content_type=Atom1Feed.content_type)
    patch_cache_control(response, public=True, max_age=kept_for(posts))
    if not person.is_indexed:
        response["X-Robots-Tag"] = "noindex"
    set_response_etag(response)
    return get_conditional_response(request, response["ETag"], response=response) or response
