"""Registering an app, the page that asks a person whether it may act for them, and the token that it gets."""

import re
from typing import Any
from urllib.parse import urlsplit

from authlib.oauth2 import OAuth2Error
from django import forms
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access.scopes import SCOPES, in_words, scopes_in
from accounts.access.writes import SignInEnded, register_app
from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest, send_to_sign_in, sign_in_required, waited_for_by_app
from api.access import ApiRequest, Refusal, bearer, endpoint, failed, refuse, sent_by
from api.oauth.server import SHOWN_HERE, Asked, app_of_token, ask, server
from notifications.push.apps import site_public_key
from socialsite.web.fields import PlainTextField
from socialsite.web.limits import Limit, client_address, count_hits

APPS_BY_ADDRESS = Limit("apps-address", 5, 3600)
MOST_REDIRECTS = 10
LONGEST_REDIRECT = 500
SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,40}")
NEVER = ("javascript", "data", "vbscript", "file", "blob", "about", "ws", "wss", "mailto", "tel")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")  # a name, or an address of IPv6


class AppForm(forms.Form):
    client_name = PlainTextField(max_characters=60)
    website = forms.URLField(required=False, max_length=500, assume_scheme="https")


@endpoint(visitors=True)
def register(request: ApiRequest) -> Any:
    """Registers an app, five an hour for an address."""
    form = AppForm(request.sent.first())
    if not form.is_valid():
        raise refuse(_("Validation failed: %(errors)s") % {"errors": _errors(form)})
    redirects = _redirects(request.sent.all("redirect_uris"))
    scopes = scopes_in(request.sent.get("scopes"))
    if not set(scopes) <= set(SCOPES):
        raise refuse(_("Validation failed: %(errors)s") % {"errors": _("unknown scopes")})
    count_hits((APPS_BY_ADDRESS, client_address(request)))
    values = form.cleaned_data
    app, secret = register_app(
        name=values["client_name"],
        website=values["website"],
        redirects=redirects,
        scopes=scopes,
    )
    return {
        "id": app.client_id,
        "name": app.name,
        "website": app.website or None,
        "scopes": list(scopes),
        "redirect_uri": "\n".join(redirects),
        "redirect_uris": redirects,
        "client_id": app.client_id,
        "client_secret": secret,
        "client_secret_expires_at": 0,
        "vapid_key": site_public_key(),
    }


def _errors(form: forms.Form) -> str:
    return " ".join(f"{name}: {' '.join(map(str, said))}" for name, said in form.errors.items())


def _redirects(given: list[str]) -> list[str]:
    """Returns the addresses to which codes may be sent. Raises `Refusal`."""
    wanted = list(dict.fromkeys(one for text in given for one in text.split()))
    if not wanted or len(wanted) > MOST_REDIRECTS or not all(map(_may_be_sent_to, wanted)):
        told = {"errors": _("redirect_uris are addresses of the app")}
        raise refuse(_("Validation failed: %(errors)s") % told)
    return wanted


def _may_be_sent_to(address: str) -> bool:
    if address == SHOWN_HERE:
        return True
    if len(address) > LONGEST_REDIRECT or not address.isascii() or "#" in address:
        return False
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return False
    # The page says to which host it leads: nothing before an "@" may look like another one.
    if not SCHEME.fullmatch(parts.scheme) or parts.scheme in NEVER or "@" in parts.netloc:
        return False
    if parts.scheme == "http":
        return host in LOOPBACK
    return bool(HOST.fullmatch(host)) if parts.scheme == "https" else ":" in address


@endpoint(visitors=True)
def verify_app(request: ApiRequest) -> Any:
    """Says which app it is whose token came."""
    if request.user.is_authenticated:
        name, website, scopes = request.access.name, request.access.website, request.access.scopes
    elif app := app_of_token(bearer(request)):
        name, website, scopes = app.name, app.website, app.scopes
    else:
        raise Refusal(401, _("The access token is invalid"))
    return {
        "name": name,
        "website": website or None,
        "scopes": list(scopes),
        "vapid_key": site_public_key(),
    }


@waited_for_by_app
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def authorize(request: SiteRequest) -> HttpResponse:
    """Says what an app asks for, and lets it (`allow=1`) or not (`allow=0`). Then it leads to the app's address with a
    code, or shows the code. What the app sent is checked each time, and is told here where it is wrong: nobody is led
    to an address that the app did not register."""
    sent = sent_by(request).first()
    try:
        asked, grant = ask(request, request.user)
    except (OAuth2Error, ValueError) as error:
        return _wrong(request, getattr(error, "description", ""))
    if request.method != "POST" or sent.get("allow") not in ("0", "1"):
        return _show(request, asked, grant)
    try:
        return _answer(request, asked, grant, request.user if sent["allow"] == "1" else None)
    except SignInEnded:
        return send_to_sign_in(request)


def _answer(request: SiteRequest, asked: Asked, grant: Any, allowed: Viewer | None) -> HttpResponse:
    if grant.redirect_uri != SHOWN_HERE:
        answer = server.create_authorization_response(asked, allowed, grant)
        return _To(answer["Location"]) if "Location" in answer else answer
    if allowed is None:
        return render(request, "api/code.html", {"app": asked.client.app, "code": ""})
    code = grant.generate_authorization_code()
    grant.save_authorization_code(code, asked)
    return render(request, "api/code.html", {"app": asked.client.app, "code": code})


# What the form sends again, as nothing is kept of it meanwhile.
CARRIED = (
    "client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method",
)  # fmt: skip


class _To(HttpResponseRedirect):
    """Leads to an app, whose address may begin with anything that was registered."""

    def __init__(self, address: str) -> None:
        self.allowed_schemes = [urlsplit(address).scheme]
        super().__init__(address)


def _show(request: SiteRequest, asked: Asked, grant: Any) -> HttpResponse:
    context = {
        "app": asked.client.app,
        "may": in_words(asked.scope.split()),
        "carried": [(name, asked.form[name]) for name in CARRIED if name in asked.form],
        "host": _leads_to(grant.redirect_uri),
    }
    response = render(request, "api/authorize.html", context)
    if source := _source(grant.redirect_uri):  # else a browser stops the form's way to the app
        response._csp_update = {"form-action": [source]}  # type: ignore[attr-defined]
    return response


def _leads_to(redirect: str) -> str:
    """Returns what the page says about where a redirect leads: the host, or the scheme alone of an app on the device.
    What stands behind such a scheme looks like a host, and is what the app likes."""
    parts = urlsplit(redirect)
    if redirect == SHOWN_HERE:
        return ""
    return parts.netloc if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def _source(redirect: str) -> str:
    """Returns how a policy names where a redirect leads: an origin, or the scheme of an app on the device."""
    if redirect == SHOWN_HERE:
        return ""
    parts = urlsplit(redirect)
    named = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
    if parts.scheme not in ("http", "https"):
        named = f"{parts.scheme}:"
    return named if re.fullmatch(r"[A-Za-z0-9+.:/\[\]-]+", named) else ""


def _wrong(request: SiteRequest, said: str) -> HttpResponse:
    return render(request, "api/wrong.html", {"said": said}, status=400)


def token(request: ApiRequest) -> HttpResponse:
    """Gives an app its token for a code, or one of its own."""
    return _of_authlib(request, lambda: server.create_token_response(request))


def revoke(request: ApiRequest) -> HttpResponse:
    """Ends a token: the app signs out."""
    return _of_authlib(request, lambda: server.create_endpoint_response("revocation", request))


def _of_authlib(request: ApiRequest, answer: Any) -> HttpResponse:
    try:
        response: HttpResponse = answer()
    except ValueError:  # Authlib's own, where an error would repeat signs that it may not hold
        return failed(400, "invalid_request")
    response["Cache-Control"] = "no-store"
    return response


def metadata(request: ApiRequest) -> Any:
    """Says where everything is (RFC 8414)."""
    here = request.build_absolute_uri("/")[:-1]
    return {
        "issuer": f"{here}/",
        "service_documentation": f"{here}/about",
        "authorization_endpoint": f"{here}/oauth/authorize",
        "token_endpoint": f"{here}/oauth/token",
        "revocation_endpoint": f"{here}/oauth/revoke",
        "app_registration_endpoint": f"{here}/api/v1/apps",
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "client_credentials"],
        "token_endpoint_auth_methods_supported": [
            "client_secret_basic",
            "client_secret_post",
            "none",
        ],
        "code_challenge_methods_supported": ["S256"],
    }
