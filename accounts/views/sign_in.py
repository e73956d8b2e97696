"""Signing in, with a second step for accounts with two-step verification, and signing out."""

import time
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms.account import SignInForm
from accounts.forms.second_factor import CodeForm
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.requests import SiteRequest
from accounts.services import end_sign_ins
from accounts.services import sign_in as service
from accounts.signing_in.known_browsers import find_browser, remember_browser
from accounts.signing_in.second_factor import WrongCode
from accounts.signing_in.slow_guesses import code_lanes, password_lanes
from accounts.views.language_switch import asked_language, render_in, typed_so_far
from socialsite.web.bounds.limits import LimitReached, client_address
from socialsite.web.bounds.slowdown import give_back, take_turn
from socialsite.web.fragments import form_page
from socialsite.web.observing.security_log import Event, note_event
from socialsite.web.preferences import Preferences, keep_in_browser, preferences_of

# The account whose password was right, the deadline for its code, the browser's id if known, stamp and epoch.
SESSION_HALF = "half"
SECONDS_FOR_CODE = 300


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_in(request: SiteRequest) -> HttpResponse:
    """Shows the form, then signs in or asks for the code. An unknown account and a wrong password get the same
    answer."""
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    if language := asked_language(request):
        context = _form_context(SignInForm(initial=typed_so_far(request)), target)
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
            secret = "" if found.has_second_factor else _start(request, found)
        except LimitReached as error:
            say_wait(form, error, is_known=bool(browser_id))
            return _show_form(request, form, target, error)
        except service.WrongPassword:
            form.add_error(
                None, _("That account and password don’t match. Check both and try again.")
            )
        else:
            if found.has_second_factor:
                response = _ask_for_code(request, found, browser_id, target)
            else:
                keep_session(request, found.user_id, secret)
                response = redirect(target)
                remember_browser(request, response, user_id=found.user_id, stamp=found.stamp)
            _bring_preferences(request, response, found.preferences)
            return response
    return _show_form(request, form, target)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("code")
def enter_code(request: SiteRequest) -> HttpResponse:
    """Asks for a code from the app or a recovery code, for five minutes after the password."""
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    half = request.session.get(SESSION_HALF, ("", 0))
    user_id, until, browser_id, stamp, epoch = (*half, "", "", 0)[:5]
    if until <= time.time():
        if user_id:
            messages.info(request, _("That took a while. Please sign in again."))
        return _to_sign_in(request, target)
    recovery, refused = "recovery" in request.GET, None
    form = CodeForm(request.POST if request.method == "POST" else None, recovery=recovery)
    form.fields["code"].widget.attrs["autofocus"] = True
    if form.is_valid():
        lanes = code_lanes(user_id, address=client_address(request), browser_id=browser_id)
        try:
            take_turn(lanes)
            secret = service.sign_in_with_code(
                user_id=user_id,
                code=form.cleaned_data["code"],
                browser=browser_of(request),
                epoch=int(epoch or 0),
            )
        except LimitReached as error:
            say_wait(form, error, is_known=bool(browser_id), account=user_id)
            refused = error
        except WrongCode:
            say_wrong_code(form, account=user_id)
        except service.WrongPassword:  # it was changed after it was typed here
            messages.info(request, _("Your password has changed. Please sign in with the new one."))
            return _to_sign_in(request, target)
        else:
            give_back(lanes)
            keep_session(request, user_id, secret)
            response = redirect(target)
            remember_browser(request, response, user_id=user_id, stamp=stamp)
            return response
    context = {"form": form, "next": target, "recovery": recovery}
    return _refusable(request, "accounts/enter_code.html", context, refused)


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


def _start(request: SiteRequest, found: service.Account) -> str:
    browser = browser_of(request)
    return service.sign_in(user_id=found.user_id, browser=browser, epoch=found.epoch)


def _to_sign_in(request: SiteRequest, target: str) -> HttpResponse:
    request.session.pop(SESSION_HALF, None)
    return redirect(f"/login?{urlencode({'next': target})}")


def say_wait(form: Form, error: LimitReached, *, is_known: bool, account: str = "") -> None:
    """Tells the person how long to wait, and that a browser the account knows does not wait for other people's
    tries."""
    note_event(Event.LIMIT_REACHED, account=account, limit=error.kind)
    minutes, seconds = -(-error.retry_after // 60), error.retry_after
    if seconds < 100:
        text = ngettext(
            "Too many tries. Try again in %(n)d second.",
            "Too many tries. Try again in %(n)d seconds.",
            seconds,
        )
        said = text % {"n": seconds}
    else:
        text = ngettext(
            "Too many tries. Try again in %(n)d minute.",
            "Too many tries. Try again in %(n)d minutes.",
            minutes,
        )
        said = text % {"n": minutes}
    if not is_known:
        hint = _("In a browser where you signed in before, you can sign in now.")
        said = f"{said} {hint}"
    form.add_error(None, said)


def say_wrong_code(form: Form, *, account: str) -> None:
    note_event(Event.WRONG_CODE, account=account)
    form.add_error("code", _("That code is wrong or has already been used. Try the next one."))


def _show_form(
    request: SiteRequest, form: SignInForm, target: str, refused: LimitReached | None = None
) -> HttpResponse:
    return _refusable(request, "accounts/login.html", _form_context(form, target), refused)


def _form_context(form: SignInForm, target: str) -> dict[str, Any]:
    return {"form": form, "next": target if target != "/" else "", "typed_form": "sign-in"}


def _refusable(
    request: SiteRequest, template: str, context: dict[str, Any], refused: LimitReached | None
) -> HttpResponse:
    """Shows a form's page: plain, with its errors, or with how long to wait."""
    if refused is None:
        return form_page(request, template, context)
    response = render(request, template, context, status=429)
    response["Retry-After"] = str(refused.retry_after)
    return response


def _ask_for_code(
    request: SiteRequest, found: service.Account, browser_id: str, target: str
) -> HttpResponse:
    request.session.flush()
    until = int(time.time()) + SECONDS_FOR_CODE
    request.session[SESSION_HALF] = [found.user_id, until, browser_id, found.stamp, found.epoch]
    return redirect(f"/login/code?{urlencode({'next': target})}")


def keep_session(request: SiteRequest, user_id: str, secret: str) -> None:
    """Signs this browser in with the secret of a new sign-in, and with a new CSRF token."""
    request.session.flush()
    request.session[SESSION_USER] = user_id
    request.session[SESSION_SECRET] = secret
    rotate_token(request)


def browser_of(request: SiteRequest) -> str:
    return request.headers.get("User-Agent", "")


def _bring_preferences(
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
