"""A person's own email address: what it is, whether it is confirmed, and asking for another one; and the pages that
the links in letters open."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.addresses import writes
from accounts.addresses.writes import get_own_address
from accounts.credentials.forms import ChangeEmailForm
from accounts.guards import proof_required
from accounts.requests import SiteRequest, opened_by_letter, sign_in_required
from socialsite.web.fragments import form_page
from socialsite.web.limits import ADDRESS_LETTERS, count_hits

PAGE = "/settings/email"


@require_safe
@never_cache
@sign_in_required
def own_email(request: SiteRequest) -> HttpResponse:
    own = get_own_address(request.user)
    return render(request, "accounts/own_email.html", {"own": own})


@require_POST
@sign_in_required
def send_link(request: SiteRequest) -> HttpResponse:
    """Sends the link to the address that waits for it once more."""
    count_hits((ADDRESS_LETTERS, request.user.user_id))
    if writes.send_link_again(by=request.user):
        messages.success(request, _("We’ve sent the link again."))
    return redirect(PAGE)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def change_email(request: SiteRequest) -> HttpResponse:
    """Asks for the new address, and sends a link to it. The answer is the same if another account has it."""
    form = ChangeEmailForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        count_hits((ADDRESS_LETTERS, request.user.user_id))
        try:
            writes.change_email(by=request.user, **form.cleaned_data)
        except writes.SameAddress:
            form.add_error("email", _("That’s your address already."))
        except writes.ChangedLately:
            return redirect(PAGE)
        else:
            messages.success(request, _("Look in your new inbox: we’ve sent you a link."))
            return redirect(PAGE)
    return form_page(request, "accounts/change_email.html", {"form": form})


@opened_by_letter(gone="accounts/email_link_gone.html")
@sensitive_variables("secret")
def confirm_email(request: SiteRequest, secret: str) -> HttpResponse:
    """Says which address the link confirms, for which account. A press confirms it."""
    asked = writes.get_confirmation(secret)
    if request.method != "POST":
        return render(request, "accounts/confirm_email.html", {"asked": asked})
    try:
        is_change = writes.confirm_email(secret=secret)
    except writes.AddressTaken:
        return render(request, "accounts/email_taken.html", {"asked": asked}, status=409)
    changed, confirmed = _("Your email address has changed."), _("Your email address is confirmed.")
    messages.success(request, changed if is_change else confirmed)
    return redirect("/")


@opened_by_letter(gone="accounts/email_link_gone.html")
@sensitive_variables("secret")
def undo_email_change(request: SiteRequest, secret: str) -> HttpResponse:
    """Says what the link does. A press does it, and a letter brings the link to set a new password."""
    undo = writes.get_undo(secret)
    if request.method != "POST":
        return render(request, "accounts/undo_email_change.html", {"undo": undo})
    writes.undo_change(secret=secret)
    return redirect("/password/forgot?undone")
