"""Confirming your identity: on a page of its own, with a passkey, or, for staff, in place of what they sent. Once
the proof is there, what they sent is done, with every word that they wrote: nobody writes a decision twice."""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.forms import Form
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import reswap, retarget, trigger_client_event

from accounts.credentials.forms import DID_NOT_WORK, PasskeyForm, ProofForm
from accounts.credentials.passkeys import WrongPasskey, get_keyring, offer_passkey, take_challenge
from accounts.credentials.passwords import WrongPassword
from accounts.credentials.second_factor import SecondFactor, WrongCode, get_second_factor
from accounts.middleware import SESSION_SECRET, read_people
from accounts.proof import writes
from accounts.proof.writes import prove_identity, prove_with_passkey
from accounts.requests import (
    SiteRequest,
    account_required,
    browser_of,
    safe_target,
    say_wait,
    say_wrong_code,
)
from accounts.sign_in.views import party_of, wrong
from socialsite.web.fragments import form_page
from socialsite.web.limits import (
    PROOFS_A_DAY,
    PROOFS_BY_ACCOUNT,
    PROOFS_BY_ADDRESS,
    LimitReached,
    client_address,
    count_hits,
)

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
            secret = writes.prove_identity(
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


@require_POST
@never_cache
@account_required
@sensitive_post_parameters("credential")
def confirm_with_passkey(request: SiteRequest) -> HttpResponse:
    """Takes a passkey instead of the password and a code, then leads back."""
    target, party = safe_target(request), party_of(request)
    if request.user.has_proved_by_passkey and request.user.has_proved_within(JUST_NOW):
        return lead_back(request, target)  # the form was sent twice
    form = PasskeyForm(request.POST)
    if form.is_valid():
        count_proof(request)
        answer = form.cleaned_data["credential"]
        try:
            secret = prove_with_passkey(
                by=request.user,
                party=party,
                challenge=take_challenge(request.session, answer),
                answer=answer,
                browser=browser_of(request),
            )
        except WrongPasskey:
            form.add_error(None, DID_NOT_WORK)
        else:
            return keep_proof(request, secret, target)
    factor = get_second_factor(request.user.account_id, consistent=True)
    return wrong(show_confirm(request, proof_form(request, factor), target, factor, form))


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
