"""Asking staff for a fresh proof of identity in place of what they sent. Once it is there, what they sent is done, with
every word that they wrote: nobody writes a decision twice."""

from collections.abc import Callable

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.debug import sensitive_post_parameters
from django_htmx.http import reswap, retarget

from accounts.forms.passkeys import DID_NOT_WORK, PasskeyForm
from accounts.forms.second_factor import ProofForm
from accounts.middleware import SESSION_SECRET, read_people
from accounts.passkeys.answers import WrongPasskey
from accounts.passkeys.challenges import take_challenge
from accounts.passkeys.keyring import get_keyring
from accounts.passkeys.options import offer_passkey
from accounts.requests import SiteRequest
from accounts.services.passkeys.prove import prove_with_passkey
from accounts.services.prove_identity import prove_identity
from accounts.services.sign_in import WrongPassword
from accounts.signing_in.second_factor import SecondFactor, WrongCode, get_second_factor
from accounts.views.passkeys.sign_in import party_of
from accounts.views.prove_identity import count_proof, refuse_proof
from accounts.views.refusals import say_wait
from accounts.views.sign_in import browser_of
from socialsite.web.bounds.limits import LimitReached

PASSWORD, CODE, RECOVERY, PASSKEY = "proof-password", "proof-code", "proof-recovery", "credential"
OURS = {PASSWORD, CODE, RECOVERY, PASSKEY, "csrfmiddlewaretoken"}


@sensitive_post_parameters(PASSWORD, CODE, PASSKEY)
def ask_in_place(
    request: SiteRequest, again: Callable[[], HttpResponseBase], *, needs_passkey: bool
) -> HttpResponseBase:
    """Answers 401 with a form that asks, or does what was sent if it brings the proof. To htmx it is a dialog
    (`static/js/cases.js`), after which the page sends its own form once more; to everyone else a page that carries
    every field along, also one that says how long to wait after too many tries. Costs what `prove_identity` does."""
    factor = get_second_factor(request.user.account_id, consistent=True)
    if request.htmx:
        response = _ask(request, factor, ProofForm(with_code=factor.is_on), needs_passkey)
        return reswap(retarget(response, "#proof"), "innerHTML")
    is_sent = PASSWORD in request.POST and RECOVERY not in request.POST and not needs_passkey
    form = ProofForm(
        request.POST if is_sent else None,
        with_code=factor.is_on,
        recovery=RECOVERY in request.POST,
        prefix="proof",
    )
    passkey_form = PasskeyForm(request.POST) if PASSKEY in request.POST else PasskeyForm()
    try:
        secret = _proved(request, form) or _proved_by_passkey(request, passkey_form)
    except LimitReached as error:
        used = passkey_form if passkey_form.is_bound else form
        say_wait(used, error, is_known=True, account=request.user.account_id)
        response = _ask(request, factor, form, needs_passkey, passkey_form, status=429)
        response["Retry-After"] = str(error.retry_after)
        return response
    if not secret:
        return _ask(request, factor, form, needs_passkey, passkey_form)
    request.session[SESSION_SECRET] = secret
    read_people(request)
    return again()


def _proved(request: SiteRequest, form: ProofForm) -> str:
    """Returns the secret of the proved sign-in, empty if the form brings no proof, and then says why."""
    if not form.is_valid():
        return ""
    count_proof(request)
    try:
        return prove_identity(by=request.user, browser=browser_of(request), **form.cleaned_data)
    except (WrongPassword, WrongCode) as error:
        refuse_proof(request, form, error)
    return ""


def _proved_by_passkey(request: SiteRequest, form: PasskeyForm) -> str:
    if not form.is_valid():
        return ""
    count_proof(request)
    answer = form.cleaned_data["credential"]
    try:
        return prove_with_passkey(
            by=request.user,
            party=party_of(request),
            challenge=take_challenge(request.session, answer),
            answer=answer,
            browser=browser_of(request),
        )
    except WrongPasskey:
        form.add_error(None, DID_NOT_WORK)
    return ""


def _ask(
    request: SiteRequest,
    factor: SecondFactor,
    form: ProofForm,
    needs_passkey: bool,
    passkey_form: PasskeyForm | None = None,
    *,
    status: int = 0,
) -> HttpResponse:
    known = get_keyring(request.user.account_id).passkeys if factor.passkeys else ()
    context = {
        "form": form,
        "has_factor": factor.is_on,
        "recovery": RECOVERY in request.POST,
        "needs_passkey": needs_passkey,
        "passkey": offer_passkey(request, of=known) if known else "",
        "passkey_form": passkey_form or PasskeyForm(),
        "carried": [] if request.htmx else _carried(request),
    }
    template = "accounts/_proof.html" if request.htmx else "accounts/prove_in_place.html"
    is_refused = form.is_bound or (passkey_form is not None and passkey_form.is_bound)
    response = render(request, template, context, status=status or (422 if is_refused else 401))
    add_never_cache_headers(response)
    return response


def _carried(request: SiteRequest) -> list[tuple[str, str]]:
    fields = ((name, values) for name, values in request.POST.lists() if name not in OURS)
    return [(name, value) for name, values in fields for value in values]
