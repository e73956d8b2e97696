"""The standing wish that old posts are deleted: what would go, turning it on, and turning it off."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import proof_required
from accounts.requests import SiteRequest, sign_in_required
from privacy.old_posts.forms import AGES, WishForm
from privacy.old_posts.preview import count_old_posts, newest_to_go
from privacy.old_posts.runs import AlreadyDeleting
from privacy.services.wish_old_posts import keep_old_posts, wish_old_posts_gone
from privacy.views.old_posts import PAGE, show_old_posts
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def wish(request: SiteRequest) -> HttpResponse:
    """Says how many posts would go at once by what was chosen. A POST turns the wish on."""
    form = WishForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return show_old_posts(request, form, status=422)
    days, choice = form.cleaned_data["days"], form.cleaned_data["choice"]
    if request.method != "POST":
        preview = count_old_posts(request.user, choice=choice, until=newest_to_go(days))
        context = {"wish": form, "age": dict(AGES)[days], "preview": preview}
        return form_page(request, "privacy/old_posts/wish.html", context)
    count_hits((POSTS, request.user.user_id))
    try:
        wish_old_posts_gone(by=request.user, days=days, choice=choice)
    except AlreadyDeleting:
        return show_old_posts(request, status=409)
    messages.success(request, _("Turned on. We’ll begin in a moment."))
    return redirect(PAGE)


@require_POST
@never_cache
@sign_in_required
def keep(request: SiteRequest) -> HttpResponse:
    """Turns the wish off, and stops what the worker is deleting. Needs no proof, because it keeps what there is."""
    keep_old_posts(by=request.user)
    messages.success(request, _("Turned off. The rest of your posts will stay."))
    return redirect(PAGE)
