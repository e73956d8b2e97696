"""Taking back what one did with a post. That never asks whether one may still see it."""

from contextlib import suppress

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.requests import SiteRequest
from accounts.views.sign_in import safe_target
from feed.access_patterns import get_post
from feed.cards import PostCard
from socialsite.table.errors import NotFound


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
