"""Closing an account, when it is deleted, and keeping it after all; and the receipt of an account that was closed, for
everyone who has its address. It names nobody."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import PROOF_LASTS, proof_required
from accounts.people.cards import law_keeps_until
from accounts.requests import SiteRequest, account_required
from privacy.erasure.reads import get_receipt
from privacy.erasure.writes import AlreadyClosing, LastAdmin, TooLate, close_account, keep_account
from socialsite.web.fragments import form_page, page_or_fragment

AFTER_GRACE, NOW = "later", "now"


class CloseAccountForm(forms.Form):
    """No choice at all is a mistake, and not the grace."""

    when = forms.ChoiceField(
        label=gettext_lazy("When should we delete your account?"),
        choices=[
            (AFTER_GRACE, gettext_lazy("In 14 days, and until then I can keep it")),
            (NOW, gettext_lazy("Right now, for good")),
        ],
        initial=AFTER_GRACE,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), gettext_lazy("Choose one.")),
    )


CLOSE_PAGE = "/settings/close"


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


@proof_required(back_to=CLOSE_PAGE)
def _close(request: SiteRequest) -> HttpResponse:
    form = CloseAccountForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    try:
        receipt_id = close_account(by=request.user, at_once=form.cleaned_data["when"] == NOW)
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
    card = request.user.card or request.user.locked_out
    context = {
        "form": form,
        "has_proved": has_proved,
        "kept_by_law": law_keeps_until(card) if card else "",
    }
    return form_page(request, "privacy/close.html", context)


@require_safe
@never_cache
def show(request: SiteRequest, receipt_id: str) -> HttpResponse:
    """Shows how far the erasure is, what it deleted, and what stays until when. To htmx that alone: until the erasure
    is over the page asks again."""
    context = {"receipt": get_receipt(receipt_id)}
    return page_or_fragment(request, "privacy/receipt.html", "privacy/_receipt.html", context)
