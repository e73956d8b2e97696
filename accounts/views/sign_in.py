"""Signing in and out."""

from dataclasses import replace

from django.http import HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.emails import email_hmac
from accounts.forms.account import SignInForm
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.services import sign_in as service
from socialsite.web.limits import (
    SIGN_IN_BY_ACCOUNT,
    SIGN_IN_BY_ADDRESS,
    client_address,
    count_hits,
)
from socialsite.web.preferences import Preferences, keep_in_browser, preferences_of
from socialsite.web.requests import SiteRequest


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_in(request: SiteRequest) -> HttpResponse:
    """Shows the form; signs in. The answer is the same for an unknown account and a wrong password."""
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
            start_session(request, found.user_id)
            response = redirect(target)
            _bring_preferences(request, response, found.preferences)
            return response
    status = 422 if form.is_bound else 200
    context = {"form": form, "next": target if target != "/" else ""}
    return render(request, "accounts/login.html", context, status=status)


@require_POST
def sign_out(request: SiteRequest) -> HttpResponse:
    """Ends the sign-in here and in the table, and forgets what the browser kept."""
    if request.user.is_authenticated:
        service.sign_out(by=request.user)
    request.session.flush()
    response = redirect("/")
    response["Clear-Site-Data"] = '"cache"'
    return response


def start_session(request: SiteRequest, user_id: str) -> None:
    """A new sign-in with a new secret, and a new CSRF token."""
    browser = request.headers.get("User-Agent", "")
    request.session.flush()
    request.session[SESSION_USER] = user_id
    request.session[SESSION_SECRET] = service.sign_in(user_id=user_id, browser=browser)
    rotate_token(request)


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
