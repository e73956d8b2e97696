"""Closing an account, and keeping it after all."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import PROOF_LASTS, proof_required
from accounts.requests import SiteRequest, account_required
from privacy.forms.close_account import AT_ONCE, CloseAccountForm
from privacy.services.close_account import AlreadyClosing, LastAdmin, close_account
from privacy.services.keep_account import TooLate, keep_account
from socialsite.web.fragments import form_page

PAGE = "/settings/close"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
def close(request: SiteRequest) -> HttpResponseBase:
    """Says what closing does, and after a proof asks when. A POST closes the account, which ends this sign-in too, and
    leads to the receipt. People who are suspended can leave too."""
    if request.user.locked_out and request.user.locked_out.closing:
        return redirect("/standing")
    if request.method == "POST":
        return _close(request)
    return _page(request, CloseAccountForm())


@proof_required(back_to=PAGE)
def _close(request: SiteRequest) -> HttpResponse:
    form = CloseAccountForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    try:
        receipt_id = close_account(by=request.user, at_once=form.cleaned_data["when"] == AT_ONCE)
    except AlreadyClosing:
        return redirect("/standing")
    except LastAdmin:
        text = _("You’re the last administrator. Give someone else that role first.")
        form.add_error(None, text)
        return _page(request, form)
    request.session.flush()
    return redirect(f"/erased/{receipt_id}")


@require_POST
@never_cache
@account_required
def keep(request: SiteRequest) -> HttpResponse:
    """Takes the closing back. Signing in does not, because that may be by mistake."""
    try:
        if keep_account(by=request.user):
            messages.success(request, _("Welcome back! Your account stays."))
    except TooLate:
        return redirect("/standing")
    return redirect("/")


def _page(request: SiteRequest, form: CloseAccountForm) -> HttpResponse:
    has_proved = request.user.has_proved_within(PROOF_LASTS)
    return form_page(request, "privacy/close.html", {"form": form, "has_proved": has_proved})
