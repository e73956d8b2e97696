"""Confirming your identity with a passkey."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts.forms.passkeys import DID_NOT_WORK, PasskeyForm
from accounts.passkeys.answers import WrongPasskey
from accounts.passkeys.challenges import take_challenge
from accounts.requests import SiteRequest, account_required
from accounts.services.passkeys.prove import prove_with_passkey
from accounts.signing_in.second_factor import get_second_factor
from accounts.views.passkeys.sign_in import party_of, wrong
from accounts.views.prove_identity import (
    JUST_NOW,
    count_proof,
    keep_proof,
    lead_back,
    proof_form,
    show_confirm,
)
from accounts.views.sign_in import browser_of, safe_target


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
