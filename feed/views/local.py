"""Everyone's posts."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.local_timeline import list_public
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.link_preview import preview_of_list


@require_safe
def local(request: SiteRequest) -> HttpResponse:
    """Shows the local timeline to members and visitors."""
    page = list_public(viewer=request.user, cursor=cursor_of(request))
    preview = preview_of_list(request, request.path)
    context = {"posts": page.items, "link_preview": preview, **neighbours(request, page)}
    return page_or_fragment(request, "feed/local.html", "feed/_post_page.html", context)
