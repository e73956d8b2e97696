"""The button that follows a tag, and the page of followed tags."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from relations.followed_tags import list_followed_tags
from relations.services import follow_tag as service
from socialsite.texts.hashtags import tag_url
from socialsite.web.fragments import fragment_or_redirect, wanted_state


@require_POST
@sign_in_required
def follow(request: SiteRequest, tag: str) -> HttpResponse:
    """Follows a tag (`on=1`) or unfollows it (`on=0`). Answers with the button in its new state, or leads back to the
    page with it: that of the tag, or with `from=tags` the list of followed tags."""
    on = wanted_state(request)
    to = "/tags" if request.GET.get("from") == "tags" else tag_url(tag)
    try:
        if on:
            service.follow_tag(by=request.user, tag=tag)
        else:
            service.unfollow_tag(by=request.user, tag=tag)
    except service.TooManyTags:
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
