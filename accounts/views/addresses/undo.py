"""The page that takes a change of email address back, opened by the link in the old mailbox."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_variables

from accounts.requests import SiteRequest
from accounts.services.addresses import undo_change as service
from accounts.views.letter_links import opened_by_letter


@opened_by_letter(gone="accounts/email_link_gone.html")
@sensitive_variables("secret")
def undo_email_change(request: SiteRequest, secret: str) -> HttpResponse:
    """Says what the link does. A press does it, and a letter brings the link to set a new password."""
    undo = service.get_undo(secret)
    if request.method != "POST":
        return render(request, "accounts/undo_email_change.html", {"undo": undo})
    service.undo_change(secret=secret)
    return redirect("/password/forgot?undone")
