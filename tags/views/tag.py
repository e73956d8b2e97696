"""The page of a tag."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from relations.followed_tags import is_followed_tag
from socialsite.texts.hashtags import tag_url
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.link_preview import preview_of_list
from tags.access_patterns import list_tagged


@require_safe
def tag(request: SiteRequest, tag: str) -> HttpResponse:
    """Shows the posts with a tag to members and visitors. Other spellings of the tag lead to it."""
    if not request.path.endswith(f"/{tag}"):
        return redirect(tag_url(tag), permanent=True)
    page = list_tagged(tag, viewer=request.user, cursor=cursor_of(request))
    context = {
        "tag": tag,
        "tag_url": tag_url(tag),
        "is_followed": is_followed_tag(tag, viewer=request.user),
        "posts": page.items,
        "link_preview": preview_of_list(request, tag_url(tag)),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "tags/tag.html", "feed/_post_page.html", context)
