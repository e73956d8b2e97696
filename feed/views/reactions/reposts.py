"""The repost button, and the page of people who reposted a post."""

from django.http import HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.cards.drawing import strings_of
from feed.outside.link_preview import is_for_everyone
from feed.pointers import Pointer
from feed.reposts.reading import list_reposters
from feed.services import repost as reposting
from feed.views.reactions.undoing import answer_undone, find_post
from socialsite.table.errors import NotFound
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import (
    cursor_of,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.link_preview import preview_of_list


@require_POST
@sign_in_required
def repost(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Reposts (`on=1`) or takes it back (`on=0`), and answers with the button in its new state. Answers 404 for posts
    that are not for everyone. A repost from before can be taken back, also of a post that the viewer may no longer see.

    The stream worker writes the count a moment later. Until then the answer shows it with this change.
    """
    on = wanted_state(request)
    post = find_post(request, post_id, undoes=not on)
    if post is None:
        reposting.take_repost_back(by=request.user, post_id=post_id)
        return answer_undone(request, _("You’ve taken your repost back."))
    if on and not post.can_be_reposted:
        raise NotFound("only posts for everyone are reposted")
    if on:
        count_hits((POSTS, request.user.user_id))
        reposting.repost(by=request.user, post=_pointer_of(post))
    else:
        reposting.take_repost_back(by=request.user, post_id=post_id)
    count = max(0, post.repost_count + int(on) - int(post.reposted))
    post = post._replace(reposted=on, repost_count=count)
    context = strings_of(post, get_language(), request.user)
    return fragment_or_redirect(request, "feed/_repost_button.html", context, to=post.url)


def _pointer_of(post: PostCard) -> Pointer:
    return Pointer(post.post_id, post.author.user_id, *post.thread)


@require_safe
def reposters(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the people who reposted a post."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    page = list_reposters(post_id, viewer=request.user, cursor=cursor_of(request))
    is_indexed = is_for_everyone(post) and post.author.is_indexed
    context = {
        "post": post,
        "people": page.items,
        "link_preview": preview_of_list(request, post.reposters_url, is_indexed=is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "feed/reposters.html", "relations/_person_page.html", context)
