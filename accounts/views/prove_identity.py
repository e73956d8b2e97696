"""Confirming your identity, before anything that others must not do in a browser left open."""

from datetime import timedelta

from django.conf import settings
from django.forms import Form
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_htmx.http import trigger_client_event

from accounts.forms.passkeys import PasskeyForm
from accounts.forms.second_factor import ProofForm
from accounts.middleware import SESSION_SECRET
from accounts.passkeys.keyring import get_keyring
from accounts.passkeys.options import offer_passkey
from accounts.requests import SiteRequest, account_required
from accounts.services import prove_identity as service
from accounts.services.sign_in import WrongPassword
from accounts.signing_in.second_factor import SecondFactor, WrongCode, get_second_factor
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

PASSKEYS, SECURITY = "/settings/passkeys", "/settings/security"
JUST_NOW = timedelta(minutes=1)  # a form that is sent twice within this time finds its proof given


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
@sensitive_post_parameters("password", "code")
def confirm(request: SiteRequest) -> HttpResponse:
    """Asks for the password, and for a code if two-step verification is on, or for a passkey, then leads back. Staff
    who need two-step verification are sent to turn it on. People who are locked out confirm too, to take their data
    along. `again` in the address says that a change was not made because the proof was missing."""
    target = safe_target(request)
    factor = get_second_factor(request.user.account_id, consistent=True)
    if elsewhere := _set_up_first(request, factor, target):
        return redirect(elsewhere)
    if request.method == "POST" and request.user.has_proved_within(JUST_NOW, by_code=factor.is_on):
        return lead_back(request, target)
    form = proof_form(request, factor, request.POST if request.method == "POST" else None)
    if form.is_valid():
        count_proof(request)
        try:
            secret = service.prove_identity(
                by=request.user, browser=browser_of(request), **form.cleaned_data
            )
        except (WrongPassword, WrongCode) as error:
            refuse_proof(request, form, error)
        else:
            return keep_proof(request, secret, target)
    return show_confirm(request, form, target, factor)


def proof_form(
    request: SiteRequest, factor: SecondFactor, typed: QueryDict | None = None
) -> ProofForm:
    return ProofForm(typed, with_code=factor.is_on, recovery="recovery" in request.GET)


def keep_proof(request: SiteRequest, secret: str, target: str) -> HttpResponse:
    """Goes on with the proved sign-in. The rest of the session stays, and the form token too: what waits in other tabs
    can still be sent."""
    request.session[SESSION_SECRET] = secret
    return lead_back(request, target)


def lead_back(request: SiteRequest, target: str) -> HttpResponse:
    """Leads to the page that asked. The dialog of staff hears that it can send what waits behind it."""
    if request.htmx:
        return trigger_client_event(HttpResponse(status=204), "proved")
    return redirect(target)


def show_confirm(
    request: SiteRequest,
    form: ProofForm,
    target: str,
    factor: SecondFactor,
    passkey_form: PasskeyForm | None = None,
) -> HttpResponse:
    """Shows the page. `passkey` in the address says that only a passkey will do."""
    known = get_keyring(request.user.account_id).passkeys if factor.passkeys else ()
    context = {
        "form": form,
        "next": target,
        "has_factor": factor.is_on,
        "recovery": "recovery" in request.GET,
        "again": "again" in request.GET,
        "needs_passkey": "passkey" in request.GET,
        "passkey": offer_passkey(request, of=known) if known else "",
        "passkey_form": passkey_form or PasskeyForm(),
    }
    return form_page(request, "accounts/confirm.html", context, fragment="accounts/_proof.html")


def _set_up_first(request: SiteRequest, factor: SecondFactor, target: str) -> str:
    """Returns where to go first if the account has nothing that would do, empty if it has."""
    if "passkey" in request.GET and not factor.passkeys:
        return PASSKEYS
    has_nothing = not factor.is_on and not factor.passkeys
    is_asked = request.user.is_staff and settings.STAFF_SECOND_FACTOR
    return SECURITY if is_asked and has_nothing and not target.startswith(PASSKEYS) else ""


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
