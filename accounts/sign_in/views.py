"""Signing in and out: with a password and perhaps a code, or with a passkey. The signed session keeps the first of
two steps until the second."""

import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpResponse, QueryDict
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import sessions
from accounts.credentials.forms import DID_NOT_WORK, CodeForm, PasskeyForm, SignInForm
from accounts.credentials.passkeys import (
    RelyingParty,
    WrongPasskey,
    get_keyring,
    offer_passkey,
    relying_party,
    take_challenge,
)
from accounts.credentials.passwords import WrongPassword
from accounts.credentials.second_factor import WrongCode
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.requests import (
    SiteRequest,
    asked_language,
    browser_of,
    refusable,
    render_in,
    safe_target,
    say_wait,
    say_wrong_code,
    typed_so_far,
    waited_for_by_app,
)
from accounts.sign_in import writes
from accounts.sign_in.browsers import (
    Origins,
    code_lanes,
    find_browser,
    network_of,
    origins_of,
    passkey_lanes,
    password_lanes,
    remember_browser,
    remember_origin,
)
from accounts.sign_in.writes import Account
from socialsite.table import NotFound
from socialsite.table.errors import ReadOnly
from socialsite.web.limits import LimitReached, client_address, give_back, take_turn
from socialsite.web.preferences import Preferences, keep_in_browser, preferences_of

SESSION_HALF = "half"
SECONDS_FOR_CODE = 300


class Half(NamedTuple):
    """The account whose password was right, and the second until which its code may follow. `browser_id` is empty if
    the account does not know the browser."""

    user_id: str = ""
    until: int = 0
    browser_id: str = ""
    stamp: str = ""
    epoch: int = 0
    has_passkeys: bool = False

    @property
    def is_over(self) -> bool:
        return self.until <= time.time()


def half_of(session: SessionBase) -> Half:
    """Returns what the password proved in this browser, an account without an id if nothing."""
    return Half(*session.get(SESSION_HALF, ())[:6])


def keep_half(
    session: SessionBase, user_id: str, browser_id: str, stamp: str, epoch: int, has_passkeys: bool
) -> None:
    """Notes in a new session that the password was right."""
    session.flush()
    until = int(time.time()) + SECONDS_FOR_CODE
    session[SESSION_HALF] = list(Half(user_id, until, browser_id, stamp, epoch, has_passkeys))


@waited_for_by_app
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("password")
def sign_in(request: SiteRequest) -> HttpResponse:
    """Shows the form, then signs in or asks for the code. An unknown account and a wrong password get the same
    answer."""
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    if language := asked_language(request):
        context = _form_context(request, SignInForm(initial=typed_so_far(request)), target)
        return render_in(language, request, "accounts/login.html", context)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        account, password = form.cleaned_data["account"], form.cleaned_data["password"]
        found = writes.find_account(account)
        browser_id = find_browser(request, user_id=found.user_id, stamp=found.stamp)
        name, address = writes.account_name(account), client_address(request)
        lanes = password_lanes(name, address=address, browser_id=browser_id)
        try:
            take_turn(lanes)
            writes.check_password(found, password)
            give_back(lanes)
            network, origins = "" if browser_id else network_of(address), origins_of(request)
            secret = "" if found.has_second_factor else _start(request, found, network, origins)
        except LimitReached as error:
            say_wait(form, error, is_known=bool(browser_id))
            return show_sign_in(request, form, target, error)
        except writes.WrongPassword:
            form.add_error(
                None, _("That account and password don’t match. Check both and try again.")
            )
        else:
            if found.has_second_factor:
                response = _ask_for_code(request, found, browser_id, target)
            else:
                response = finish_sign_in(
                    request, found.user_id, secret, found.stamp, origins, target
                )
            bring_preferences(request, response, found.preferences)
            return response
    return show_sign_in(request, form, target)


@require_POST
def sign_out(request: SiteRequest) -> HttpResponse:
    """Ends the sign-in here and in the table, and has the browser forget its pages and drafts. Cookies stay: they hold
    the looks, and that the account knows this browser."""
    if request.user.account_id:
        with suppress(
            ReadOnly
        ):  # then the cookie goes alone: nobody is kept at a computer that others use
            sessions.sign_out(by=request.user)
    request.session.flush()
    response = redirect("/")
    response["Clear-Site-Data"] = '"cache", "storage"'
    return response


def _start(request: SiteRequest, found: writes.Account, network: str, origins: Origins) -> str:
    return writes.sign_in(
        user_id=found.user_id,
        browser=browser_of(request),
        epoch=found.epoch,
        network=network,
        origins=origins,
    )


def finish_sign_in(
    request: SiteRequest, user_id: str, secret: str, stamp: str, origins: Origins, target: str
) -> HttpResponse:
    """Keeps a new sign-in in this browser, remembers the browser, and leads on."""
    keep_session(request, user_id, secret)
    response = redirect(target)
    remember_browser(request, response, user_id=user_id, stamp=stamp)
    remember_origin(response, origins)
    return response


def show_sign_in(
    request: SiteRequest,
    form: SignInForm,
    target: str,
    refused: LimitReached | None = None,
    passkey_form: PasskeyForm | None = None,
) -> HttpResponse:
    """Shows the page, with what was wrong in one of its two forms."""
    context = _form_context(request, form, target, passkey_form)
    return refusable(request, "accounts/login.html", context, refused)


def _form_context(
    request: SiteRequest, form: SignInForm, target: str, passkey_form: PasskeyForm | None = None
) -> dict[str, Any]:
    return {
        "form": form,
        "next": target if target != "/" else "",
        "typed_form": "sign-in",
        "passkey": offer_passkey(request),
        "passkey_form": passkey_form or PasskeyForm(),
        "offered": passkey_form
        is None,  # in the field of the account; not one that was just refused
    }


def _ask_for_code(
    request: SiteRequest, found: writes.Account, browser_id: str, target: str
) -> HttpResponse:
    keep_half(
        request.session, found.user_id, browser_id, found.stamp, found.epoch, found.has_passkeys
    )
    return redirect(f"/login/code?{urlencode({'next': target})}")


def keep_session(request: SiteRequest, user_id: str, secret: str) -> None:
    """Signs this browser in with the secret of a new sign-in, and with a new CSRF token."""
    request.session.flush()
    request.session[SESSION_USER] = user_id
    request.session[SESSION_SECRET] = secret
    rotate_token(request)


def bring_preferences(
    request: SiteRequest, response: HttpResponse, kept: Preferences | None
) -> None:
    """Applies the account's preferences instead of the browser's. If the account has no language, the one chosen here
    stays."""
    if kept:
        language = kept.language or preferences_of(request).language
        keep_in_browser(response, replace(kept, language=language))


@waited_for_by_app
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("code")
def enter_code(request: SiteRequest) -> HttpResponse:
    """Asks for a code from the app or a recovery code, for five minutes after the password."""
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    half = half_of(request.session)
    if half.is_over:
        return start_again(request, target, half)
    refused = None
    form = code_form(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        origins = origins_of(request)
        lanes = code_lanes(
            half.user_id, address=client_address(request), browser_id=half.browser_id
        )
        try:
            take_turn(lanes)
            secret = writes.sign_in_with_code(
                user_id=half.user_id,
                code=form.cleaned_data["code"],
                browser=browser_of(request),
                epoch=half.epoch,
                network="" if half.browser_id else network_of(client_address(request)),
                origins=origins,
            )
        except LimitReached as error:
            say_wait(form, error, is_known=bool(half.browser_id), account=half.user_id)
            refused = error
        except WrongCode:
            say_wrong_code(form, account=half.user_id)
        except writes.WrongPassword:  # it was changed after it was typed here
            return start_again(request, target, half)
        else:
            give_back(lanes)
            return finish_sign_in(request, half.user_id, secret, half.stamp, origins, target)
    return show_enter_code(request, form, target, half, refused)


def start_again(request: SiteRequest, target: str, half: Half) -> HttpResponse:
    """Leads back to the password, and says why."""
    if half.user_id and half.is_over:
        messages.info(request, _("That took a while. Please sign in again."))
    elif half.user_id:
        messages.info(request, _("Your password has changed. Please sign in with the new one."))
    request.session.pop(SESSION_HALF, None)
    return redirect(f"/login?{urlencode({'next': target})}")


def code_form(request: SiteRequest, typed: QueryDict | None = None) -> CodeForm:
    form = CodeForm(typed, recovery="recovery" in request.GET)
    form.fields["code"].widget.attrs["autofocus"] = True
    return form


def show_enter_code(
    request: SiteRequest,
    form: CodeForm,
    target: str,
    half: Half,
    refused: LimitReached | None = None,
    passkey_form: PasskeyForm | None = None,
) -> HttpResponse:
    """Shows the page of the second step, which a passkey of the account can be too."""
    known = get_keyring(half.user_id).passkeys if half.has_passkeys else ()
    context = {
        "form": form,
        "next": target,
        "recovery": "recovery" in request.GET,
        "passkey": offer_passkey(request, of=known, must_verify=False) if known else "",
        "passkey_form": passkey_form or PasskeyForm(),
    }
    return refusable(request, "accounts/enter_code.html", context, refused)


@waited_for_by_app
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
            account, secret = writes.sign_in_with_passkey(
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


@waited_for_by_app
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
            secret = writes.sign_in_with_second_passkey(
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
