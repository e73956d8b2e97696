"""Deleting all posts at once, and stopping it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import proof_required
from accounts.requests import SiteRequest, sign_in_required
from privacy.old_posts.choice import Choice, Kind
from privacy.old_posts.forms import DeleteNowForm
from privacy.old_posts.preview import count_old_posts
from privacy.old_posts.runs import AlreadyDeleting
from privacy.services.delete_old_posts import delete_old_posts, stop_deleting
from privacy.views.old_posts import PAGE, show_old_posts
from socialsite.table import ids
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import form_page

EVERYTHING = Choice(frozenset(Kind), frozenset())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def delete(request: SiteRequest) -> HttpResponse:
    """Says how many posts there are, and asks which of them go. A POST has the worker delete them."""
    preview = count_old_posts(request.user, choice=EVERYTHING, until=ids.new_id())
    posted = request.POST if request.method == "POST" else None
    form = DeleteNowForm(posted, initial={"kinds": list(Kind)})
    if not form.is_valid():
        context = {"form": form, "preview": preview}
        return form_page(request, "privacy/old_posts/delete.html", context)
    count_hits((POSTS, request.user.user_id))
    try:
        delete_old_posts(by=request.user, choice=form.cleaned_data["choice"], count=preview.count)
    except AlreadyDeleting:
        return show_old_posts(request, status=409)
    messages.success(request, _("Started. You can leave this page."))
    return redirect(PAGE)


@require_POST
@never_cache
@sign_in_required
def stop(request: SiteRequest) -> HttpResponse:
    """Stops deleting, by the wish or at once. What is deleted stays deleted, and the wish stays on."""
    stop_deleting(by=request.user)
    messages.success(request, _("Stopped. What’s deleted stays deleted."))
    return redirect(PAGE)
