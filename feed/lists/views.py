"""The page of a list's timeline."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.lists.reads import get_list_timeline
from relations.lists.reads import get_own_list
from socialsite.news import News, watch
from socialsite.table import keys
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


@require_safe
def list_timeline(request: SiteRequest, list_id: str) -> HttpResponseBase:
    """Shows the posts of the people in one of the viewer's own lists, newest first."""
    request.people.read_beside(lambda user_id: keys.person_list(user_id, list_id))
    return _show(request, list_id)


@sign_in_required
def _show(request: SiteRequest, list_id: str) -> HttpResponse:
    own = get_own_list(request.user, list_id)
    page = get_list_timeline(request.user, own, cursor=cursor_of(request))
    links = neighbours(request, page.posts)
    context = {
        "own": own,
        "posts": page.posts.items,
        "is_short": page.is_short and not links["older_url"],
        "hears": watch(request.user.user_id, News.POSTS, map(keys.user, own.members)),
        **links,
    }
    return page_or_fragment(request, "feed/lists/timeline.html", "feed/_post_page.html", context)
