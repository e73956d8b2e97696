"""Signing in, with a second step for who has a second factor, and out."""

import time
from dataclasses import replace
from urllib.parse import urlencode

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.emails import email_hmac
from accounts.forms.account import SignInForm
from accounts.forms.second_factor import CodeForm
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.second_factor import WrongCode
from accounts.services import sign_in as service
from socialsite.web.limits import (
    CODES_A_DAY,
    CODES_BY_ACCOUNT,
    CODES_BY_ADDRESS,
    SIGN_IN_BY_ACCOUNT,
    SIGN_IN_BY_ADDRESS,
    client_address,
    count_hits,
)
from socialsite.web.preferences import Preferences, keep_in_browser, preferences_of
from socialsite.web.requests import SiteRequest
from socialsite.web.security_log import Event, note_event

SESSION_HALF = "half"  # whose password was right, and until when the code may follow
SECONDS_FOR_CODE = 300


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_in(request: SiteRequest) -> HttpResponse:
    """Shows the form; signs in, or asks for the code. The answer is the same for an unknown account and a wrong
    password."""
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        account, password = form.cleaned_data["account"], form.cleaned_data["password"]
        count_hits(
            (SIGN_IN_BY_ADDRESS, client_address(request)),
            (SIGN_IN_BY_ACCOUNT, email_hmac(service.account_name(account))),
        )
        try:
            found = service.check_credentials(account=account, password=password)
        except service.WrongPassword:
            form.add_error(None, _("This account and password do not match."))
        else:
            if found.has_second_factor:
                response = _ask_for_code(request, found.user_id, target)
            else:
                start_session(request, found.user_id)
                response = redirect(target)
            _bring_preferences(request, response, found.preferences)
            return response
    status = 422 if form.is_bound else 200
    context = {"form": form, "next": target if target != "/" else ""}
    return render(request, "accounts/login.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("code")
def enter_code(request: SiteRequest) -> HttpResponse:
    """The second step, for five minutes after the password: a code of the app, or a recovery code."""
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    user_id, until = request.session.get(SESSION_HALF, ("", 0))
    if until <= time.time():
        if user_id:
            messages.info(request, _("That took a while. Please sign in once more."))
        return redirect(f"/login?{urlencode({'next': target})}")
    recovery = "recovery" in request.GET
    form = CodeForm(request.POST if request.method == "POST" else None, recovery=recovery)
    form.fields["code"].widget.attrs["autofocus"] = True
    if form.is_valid():
        count_hits(
            (CODES_BY_ADDRESS, client_address(request)),
            (CODES_BY_ACCOUNT, user_id),
            (CODES_A_DAY, user_id),
        )
        try:
            secret = service.sign_in_with_code(
                user_id=user_id, code=form.cleaned_data["code"], browser=_browser(request)
            )
        except WrongCode:
            say_wrong_code(form, account=user_id)
        else:
            _keep_session(request, user_id, secret)
            return redirect(target)
    context = {"form": form, "next": target, "recovery": recovery}
    status = 422 if form.is_bound else 200
    return render(request, "accounts/enter_code.html", context, status=status)


@require_POST
def sign_out(request: SiteRequest) -> HttpResponse:
    """Ends the sign-in here and in the table, and forgets what the browser kept."""
    if request.user.account_id:
        service.sign_out(by=request.user)
    request.session.flush()
    response = redirect("/")
    response["Clear-Site-Data"] = '"cache"'
    return response


def start_session(request: SiteRequest, user_id: str) -> None:
    """A new sign-in with a new secret, and a new CSRF token."""
    _keep_session(request, user_id, service.sign_in(user_id=user_id, browser=_browser(request)))


def say_wrong_code(form: Form, *, account: str) -> None:
    note_event(Event.WRONG_CODE, account=account)
    form.add_error(
        "code", _("This code is not right, or was used already. The app shows a new one soon.")
    )


def _ask_for_code(request: SiteRequest, user_id: str, target: str) -> HttpResponse:
    request.session.flush()
    request.session[SESSION_HALF] = [user_id, int(time.time()) + SECONDS_FOR_CODE]
    return redirect(f"/login/code?{urlencode({'next': target})}")


def _keep_session(request: SiteRequest, user_id: str, secret: str) -> None:
    request.session.flush()
    request.session[SESSION_USER] = user_id
    request.session[SESSION_SECRET] = secret
    rotate_token(request)


def _browser(request: SiteRequest) -> str:
    return request.headers.get("User-Agent", "")


def _bring_preferences(
    request: SiteRequest, response: HttpResponse, kept: Preferences | None
) -> None:
    """The account's preferences go before the browser's; a language chosen here stays if the account has none."""
    if kept:
        language = kept.language or preferences_of(request).language
        keep_in_browser(response, replace(kept, language=language))


def safe_target(request: SiteRequest) -> str:
    """Where to go afterwards: an address of this site that starts with /, else home."""
    target = request.POST.get("next") or request.GET.get("next") or "/"
    allowed = target.startswith("/") and url_has_allowed_host_and_scheme(
        target, allowed_hosts=None, require_https=request.is_secure()
    )
    return target if allowed else "/"
