"""Confirming your identity, before anything that others must not do in a browser left open."""

from datetime import timedelta

from django.conf import settings
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms.second_factor import ProofForm
from accounts.middleware import SESSION_SECRET
from accounts.requests import SiteRequest, account_required
from accounts.services import prove_identity as service
from accounts.services.sign_in import WrongPassword
from accounts.signing_in.second_factor import WrongCode, get_second_factor
from accounts.views.refusals import say_wrong_code
from accounts.views.sign_in import browser_of, safe_target
from socialsite.web.bounds.limits import (
    PROOFS_A_DAY,
    PROOFS_BY_ACCOUNT,
    PROOFS_BY_ADDRESS,
    client_address,
    count_hits,
)
from socialsite.web.fragments import form_page

JUST_NOW = timedelta(minutes=1)  # a form that is sent twice within this time finds its proof given


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
@sensitive_post_parameters("password", "code")
def confirm(request: SiteRequest) -> HttpResponse:
    """Asks for the password, and for a code if two-step verification is on, then leads back. Staff who need two-step
    verification are sent to turn it on. People who are locked out confirm too, to take their data along. `again` in the
    address says that a change was not made because the proof was missing."""
    target = safe_target(request)
    has_factor = get_second_factor(request.user.account_id, consistent=True).is_on
    if not has_factor and request.user.is_staff and settings.STAFF_SECOND_FACTOR:
        return redirect("/settings/security")
    if request.method == "POST" and request.user.has_proved_within(JUST_NOW, by_code=has_factor):
        return redirect(target)
    recovery = "recovery" in request.GET
    form = ProofForm(
        request.POST if request.method == "POST" else None, with_code=has_factor, recovery=recovery
    )
    if form.is_valid():
        count_proof(request)
        try:
            secret = service.prove_identity(
                by=request.user, browser=browser_of(request), **form.cleaned_data
            )
        except (WrongPassword, WrongCode) as error:
            refuse_proof(request, form, error)
        else:
            # The rest of the session stays, and the form token too: what waits in other tabs can still be sent.
            request.session[SESSION_SECRET] = secret
            return redirect(target)
    context = {
        "form": form,
        "next": target,
        "has_factor": has_factor,
        "recovery": recovery,
        "again": "again" in request.GET,
    }
    return form_page(request, "accounts/confirm.html", context)


def count_proof(request: SiteRequest) -> None:
    """Counts a try of a password or code, whichever page it is for."""
    count_hits(
        (PROOFS_BY_ADDRESS, client_address(request)),
        (PROOFS_BY_ACCOUNT, request.user.account_id),
        (PROOFS_A_DAY, request.user.account_id),
    )


def refuse_proof(request: SiteRequest, form: Form, error: WrongPassword | WrongCode) -> None:
    """Adds the error beside the field that was wrong."""
    if isinstance(error, WrongPassword):
        form.add_error("password", _("That’s not your password. Try again."))
    else:
        say_wrong_code(form, account=request.user.account_id)
