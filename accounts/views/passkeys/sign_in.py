"""Signing in with a passkey: from the sign-in page without a password, or as the second step after it."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from accounts.forms.account import SignInForm
from accounts.forms.passkeys import DID_NOT_WORK, PasskeyForm
from accounts.passkeys.answers import WrongPasskey
from accounts.passkeys.challenges import take_challenge
from accounts.passkeys.relying_party import RelyingParty, relying_party
from accounts.requests import SiteRequest
from accounts.services.passkeys import sign_in as service
from accounts.services.sign_in import Account, WrongPassword
from accounts.signing_in.half import half_of
from accounts.signing_in.known_browsers import find_browser, network_of
from accounts.signing_in.origins import origins_of
from accounts.signing_in.slow_guesses import code_lanes, passkey_lanes
from accounts.views.enter_code import code_form, show_enter_code, start_again
from accounts.views.refusals import say_wait
from accounts.views.sign_in import (
    bring_preferences,
    browser_of,
    finish_sign_in,
    safe_target,
    show_sign_in,
)
from socialsite.table.errors import NotFound
from socialsite.web.bounds.limits import LimitReached, client_address
from socialsite.web.bounds.slowdown import give_back, take_turn


@require_POST
@never_cache
@sensitive_post_parameters("credential")
def sign_in_with_passkey(request: SiteRequest) -> HttpResponse:
    """Signs in whoever has the passkey. What is wrong is never said, so nobody learns which passkeys there are."""
    target, party = safe_target(request), party_of(request)
    if request.user.is_authenticated:
        return redirect(target)
    form, refused = PasskeyForm(request.POST), None
    if form.is_valid():
        lanes, origins = passkey_lanes(client_address(request)), origins_of(request)
        answer = form.cleaned_data["credential"]
        try:
            take_turn(lanes)
            account, secret = service.sign_in_with_passkey(
                party=party,
                challenge=take_challenge(request.session, answer),
                answer=answer,
                browser=browser_of(request),
                network_for=partial(_network_for, request),
                origins=origins,
            )
        except LimitReached as error:
            say_wait(form, error, is_known=True)
            refused = error
        except WrongPasskey:
            form.add_error(None, DID_NOT_WORK)
        else:
            give_back(lanes)
            response = finish_sign_in(
                request, account.user_id, secret, account.stamp, origins, target
            )
            bring_preferences(request, response, account.preferences)
            return response
    return wrong(show_sign_in(request, SignInForm(), target, refused, form))


def _network_for(request: SiteRequest, account: Account) -> str:
    """Returns the network of a browser that the account does not know, for the letter about it."""
    known = find_browser(request, user_id=account.user_id, stamp=account.stamp)
    return "" if known else network_of(client_address(request))


@require_POST
@never_cache
@sensitive_post_parameters("credential")
def enter_passkey(request: SiteRequest) -> HttpResponse:
    """Takes a passkey instead of a code, for five minutes after the password."""
    target, party = safe_target(request), party_of(request)
    if request.user.is_authenticated:
        return redirect(target)
    half = half_of(request.session)
    if half.is_over:
        return start_again(request, target, half)
    form, refused = PasskeyForm(request.POST), None
    if form.is_valid():
        address, origins = client_address(request), origins_of(request)
        lanes = code_lanes(half.user_id, address=address, browser_id=half.browser_id)
        answer = form.cleaned_data["credential"]
        try:
            take_turn(lanes)
            secret = service.sign_in_with_second_passkey(
                user_id=half.user_id,
                epoch=half.epoch,
                party=party,
                challenge=take_challenge(request.session, answer),
                answer=answer,
                browser=browser_of(request),
                network="" if half.browser_id else network_of(client_address(request)),
                origins=origins,
            )
        except LimitReached as error:
            say_wait(form, error, is_known=bool(half.browser_id), account=half.user_id)
            refused = error
        except WrongPasskey:
            form.add_error(None, DID_NOT_WORK)
        except WrongPassword:  # it was changed after it was typed here
            return start_again(request, target, half)
        else:
            give_back(lanes)
            return finish_sign_in(request, half.user_id, secret, half.stamp, origins, target)
    return wrong(show_enter_code(request, code_form(request), target, half, refused, form))


def party_of(request: SiteRequest) -> RelyingParty:
    """Returns for which domain passkeys work here. Raises `NotFound` where they do not."""
    party = relying_party(request)
    if party is None:
        raise NotFound("no passkeys here")
    return party


def wrong(response: HttpResponse) -> HttpResponse:
    """Returns the page of another form as the answer to a passkey that was refused."""
    if response.status_code == 200:
        response.status_code = 422
    return response
