"""A person's posts for feed readers."""

from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.access_patterns import find_user_by_handle
from accounts.handles.former_addresses import not_kept
from accounts.requests import SiteRequest
from feed.outside.atom import feed_path, kept_for, read_feed, write_feed
from relations.profiles import get_person
from socialsite.table.errors import NotFound


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
