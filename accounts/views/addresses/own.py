"""A person's own email address: what it is, whether it is confirmed, and asking for another one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.forms.email import ChangeEmailForm
from accounts.guards import proof_required
from accounts.requests import SiteRequest, sign_in_required
from accounts.services.addresses import change_email as service
from accounts.services.addresses.own_address import get_own_address
from socialsite.web.bounds.limits import ADDRESS_LETTERS, count_hits
from socialsite.web.fragments import form_page

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
    if service.send_link_again(by=request.user):
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
            service.change_email(by=request.user, **form.cleaned_data)
        except service.SameAddress:
            form.add_error("email", _("That’s your address already."))
        except service.ChangedLately:
            return redirect(PAGE)
        else:
            messages.success(request, _("Look in your new inbox: we’ve sent you a link."))
            return redirect(PAGE)
    return form_page(request, "accounts/change_email.html", {"form": form})
