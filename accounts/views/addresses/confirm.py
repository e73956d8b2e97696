"""The page that the link to a new email address opens."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from accounts.requests import SiteRequest
from accounts.services.addresses import confirm_email as service
from accounts.views.letter_links import opened_by_letter


@opened_by_letter(gone="accounts/email_link_gone.html")
@sensitive_variables("secret")
def confirm_email(request: SiteRequest, secret: str) -> HttpResponse:
    """Says which address the link confirms, for which account. A press confirms it."""
    asked = service.get_confirmation(secret)
    if request.method != "POST":
        return render(request, "accounts/confirm_email.html", {"asked": asked})
    try:
        is_change = service.confirm_email(secret=secret)
    except service.AddressTaken:
        return render(request, "accounts/email_taken.html", {"asked": asked}, status=409)
    changed, confirmed = _("Your email address has changed."), _("Your email address is confirmed.")
    messages.success(request, changed if is_change else confirmed)
    return redirect("/")
