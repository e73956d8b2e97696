"""Signing in with a password, and signing out. The second step is in `enter_code.py`."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms.account import SignInForm
from accounts.forms.passkeys import PasskeyForm
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.passkeys.options import offer_passkey
from accounts.requests import SiteRequest
from accounts.services import end_sign_ins
from accounts.services import sign_in as service
from accounts.signing_in.half import keep_half
from accounts.signing_in.known_browsers import find_browser, network_of, remember_browser
from accounts.signing_in.origins import Origins, origins_of, remember_origin
from accounts.signing_in.slow_guesses import password_lanes
from accounts.views.language_switch import asked_language, render_in, typed_so_far
from accounts.views.refusals import refusable, say_wait
from socialsite.web.bounds.limits import LimitReached, client_address
from socialsite.web.bounds.slowdown import give_back, take_turn
from socialsite.web.preferences import Preferences, keep_in_browser, preferences_of


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
        found = service.find_account(account)
        browser_id = find_browser(request, user_id=found.user_id, stamp=found.stamp)
        name, address = service.account_name(account), client_address(request)
        lanes = password_lanes(name, address=address, browser_id=browser_id)
        try:
            take_turn(lanes)
            service.check_password(found, password)
            give_back(lanes)
            network, origins = "" if browser_id else network_of(address), origins_of(request)
            secret = "" if found.has_second_factor else _start(request, found, network, origins)
        except LimitReached as error:
            say_wait(form, error, is_known=bool(browser_id))
            return show_sign_in(request, form, target, error)
        except service.WrongPassword:
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
        end_sign_ins.sign_out(by=request.user)
    request.session.flush()
    response = redirect("/")
    response["Clear-Site-Data"] = '"cache", "storage"'
    return response


def _start(request: SiteRequest, found: service.Account, network: str, origins: Origins) -> str:
    return service.sign_in(
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
    request: SiteRequest, found: service.Account, browser_id: str, target: str
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


def browser_of(request: SiteRequest) -> str:
    return request.headers.get("User-Agent", "")


def bring_preferences(
    request: SiteRequest, response: HttpResponse, kept: Preferences | None
) -> None:
    """Applies the account's preferences instead of the browser's. If the account has no language, the one chosen here
    stays."""
    if kept:
        language = kept.language or preferences_of(request).language
        keep_in_browser(response, replace(kept, language=language))


def safe_target(request: SiteRequest) -> str:
    """Returns the address to go to afterwards if it starts with / and is on this site, otherwise home."""
    target = request.POST.get("next") or request.GET.get("next") or "/"
    allowed = target.startswith("/") and url_has_allowed_host_and_scheme(
        target, allowed_hosts=None, require_https=request.is_secure()
    )
    return target if allowed else "/"
