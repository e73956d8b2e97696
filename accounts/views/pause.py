"""Pausing an account, and coming back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import SiteRequest, account_required, sign_in_required
from accounts.services.pause import end_pause, pause_account


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def pause(request: SiteRequest) -> HttpResponse:
    """Says what a pause does. A POST begins it, and leads to the page from which the person comes back."""
    if request.method != "POST":
        return render(request, "accounts/pause.html")
    pause_account(by=request.user)
    return redirect("/standing")


@require_POST
@account_required
def come_back(request: SiteRequest) -> HttpResponse:
    """Ends the pause. Signing in does not, because that may be by mistake."""
    end_pause(by=request.user)
    messages.success(request, _("Welcome back! Everyone can see you again."))
    return redirect("/")
