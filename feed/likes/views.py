"""The like button, and the page of people who like a post."""

from django.http import HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.cards.pages import answer_undone, find_post, is_for_everyone
from feed.cards.reads import get_post
from feed.cards.ready_strings import strings_of
from feed.likes.reads import list_likers
from feed.likes.writes import like_post, unlike_post
from socialsite.web.fragments import (
    cursor_of,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.rich_text import preview_of_list


@require_POST
@sign_in_required
def like(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Likes (`on=1`) or unlikes (`on=0`), and answers with the button in its new state. Unlikes also a post that the
    viewer may no longer see.

    The stream worker writes the count a moment later. Until then the answer shows it with this change.
    """
    on = wanted_state(request)
    post = find_post(request, post_id, undoes=not on)
    if post is None:
        unlike_post(by=request.user, post_id=post_id)
        return answer_undone(request, _("You no longer like this post."))
    if on:
        like_post(
            by=request.user,
            post_id=post_id,
            author_id=post.author.user_id,
            shards=post.like_shards,
        )
    else:
        unlike_post(by=request.user, post_id=post_id, shards=post.like_shards)
    count = max(0, post.like_count + int(on) - int(post.liked))
    post = post._replace(liked=on, like_count=count)
    context = strings_of(post, get_language(), request.user)
    return fragment_or_redirect(request, "feed/_like_button.html", context, to=post.url)


@require_safe
def likers(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the people who like a post."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    cursor = cursor_of(request)
    page = list_likers(post_id, shards=post.like_shards, viewer=request.user, cursor=cursor)
    is_indexed = is_for_everyone(post) and post.author.is_indexed
    context = {
        "post": post,
        "people": page.items,
        "link_preview": preview_of_list(request, post.likers_url, is_indexed=is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "feed/likers.html", "relations/_person_page.html", context)
