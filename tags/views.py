"""The page of a tag and its feed, the button that follows one, the page of followed tags, and what the composer
suggests while someone types (`static/js/complete.js`)."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.requests import SiteRequest, sign_in_required
from feed.profiles.reads import kept_for
from relations.own_choices import writes
from relations.own_choices.writes import is_followed_tag, list_followed_tags
from socialsite.texts import tag_url
from socialsite.web.fragments import (
    cursor_of,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.rich_text import preview_of_list
from tags.reads import complete as suggestions_for
from tags.reads import list_tagged, read_tagged, write_tag_feed


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


@require_POST
@sign_in_required
def follow(request: SiteRequest, tag: str) -> HttpResponse:
    """Follows a tag (`on=1`) or unfollows it (`on=0`). Answers with the button in its new state, or leads back to the
    page with it: that of the tag, or with `from=tags` the list of followed tags."""
    on = wanted_state(request)
    to = "/tags" if request.GET.get("from") == "tags" else tag_url(tag)
    try:
        if on:
            writes.follow_tag(by=request.user, tag=tag)
        else:
            writes.unfollow_tag(by=request.user, tag=tag)
    except writes.TooManyTags:
        return _refused(request, to)
    context = {"tag": tag, "tag_url": tag_url(tag), "is_followed": on}
    return fragment_or_redirect(request, "tags/_follow_button.html", context, to=to)


def _refused(request: SiteRequest, to: str) -> HttpResponse:
    text = _("You can follow up to 50 tags. Unfollow one first.")
    if request.htmx:
        messages.error(request, text)
        return HttpResponse(status=409)
    return render(request, "relations/refused.html", {"text": text, "href": to}, status=409)


@require_safe
@sign_in_required
def followed(request: SiteRequest) -> HttpResponse:
    """Shows the tags that the viewer follows."""
    tags = [
        {"tag": tag, "tag_url": tag_url(tag), "is_followed": True}
        for tag in list_followed_tags(request.user)
    ]
    return render(request, "tags/followed.html", {"tags": tags})


@require_safe
@vary_on_headers("Accept-Encoding")
def atom(request: SiteRequest, tag: str) -> HttpResponse:
    """Returns the feed, the same for everyone: it never looks who asks, so that caches may share it. A tag without
    posts to be seen has an empty one, so that nobody learns of hidden posts.

    2 calls, 31 read units for 20 posts of as many people. A 304 to readers who have it already takes the same.
    """
    posts = read_tagged(tag)
    xml = write_tag_feed(request, tag, posts)
    response = HttpResponse(xml, content_type=Atom1Feed.content_type)
    patch_cache_control(response, public=True, max_age=kept_for(posts))
    set_response_etag(response)
    return get_conditional_response(request, response["ETag"], response=response) or response


@require_safe
@sign_in_required
def complete(request: SiteRequest) -> HttpResponse:
    """Shows the people or tags that begin with `q`, at most 8, as a list to choose from; 204 if there are none.

    For tags a Query, 0.5 read units; for people a Query and a BatchGetItem, 0.5 + 24.
    """
    suggestions = suggestions_for(request.GET.get("q", "").strip(), viewer=request.user)
    if not suggestions:
        return HttpResponse(status=204)
    return render(request, "tags/_suggestions.html", {"suggestions": suggestions})
