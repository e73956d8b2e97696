"""Choosing who can reply: a dialog, or a page without scripts."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.forms.conversation import NOBODY, ConversationForm
from feed.services.choose_replies import choose_replies
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def choose(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then sets who can reply to one of the viewer's own posts. Answers 404 for replies and others' posts."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    if not post.is_own or post.is_reply:
        raise NotFound("not a thread of yours")
    sent = request.POST if request.method == "POST" else None
    chosen = {"replies": post.who_replies, "quotes": "" if post.is_quotable else NOBODY}
    form = ConversationForm(sent, initial=chosen)
    if form.is_valid():
        choose_replies(by=request.user, post_id=post_id, **form.cleaned_data)
        messages.success(request, _("Saved. Earlier replies stay."))
        return HttpResponse() if request.htmx else redirect(post.url)
    context = {"form": form, "post": post}
    return form_page(
        request, "feed/choose_replies.html", context, fragment="feed/_replies_choice.html"
    )
