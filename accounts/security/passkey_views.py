"""The page of your passkeys: which there are, adding one, another name, and removing one. Also the addresses that
password managers look for: where to change a password, and where to add and manage passkeys."""

import secrets

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe
from webauthn.helpers import bytes_to_base64url

from accounts.credentials.forms import DID_NOT_WORK, NewPasskeyForm, PasskeyNameForm
from accounts.credentials.passkeys import (
    MOST_PASSKEYS,
    Keyring,
    PasskeyRow,
    RelyingParty,
    WrongPasskey,
    get_keyring,
    new_challenge,
    relying_party,
    take_challenge,
    to_forget_others,
    to_make_one,
)
from accounts.guards import proof_required
from accounts.requests import SiteRequest, sign_in_required
from accounts.security import writes
from accounts.sessions import browser_name
from socialsite.table import NotFound
from socialsite.web.fragments import form_page
from socialsite.web.pages import DAY

PASSKEYS_PAGE = "/settings/passkeys"


@require_safe
@never_cache
@sign_in_required
def passkeys(request: SiteRequest) -> HttpResponse:
    """Lists them, and tells the browser which ones still work."""
    keyring, party = get_keyring(request.user.user_id), relying_party(request)
    context = {
        "keyring": keyring,
        "most": MOST_PASSKEYS,
        "must_add": settings.STAFF_PASSKEY and request.user.is_staff and not keyring.passkeys,
        "works_here": party is not None,
        "accepted": to_forget_others(party, keyring) if party and keyring.user_handle else "",
    }
    return render(request, "accounts/passkeys.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def rename_passkey(request: SiteRequest) -> HttpResponse:
    """Gives the passkey in `passkey` another name."""
    passkey = _passkey(request)
    typed = request.POST if request.method == "POST" else None
    form = PasskeyNameForm(typed, initial={"name": passkey.name})
    if form.is_valid():
        writes.rename_passkey(
            by=request.user,
            credential_hash=passkey.credential_hash,
            name=form.cleaned_data["name"],
        )
        messages.success(request, _("Passkey renamed."))
        return redirect(PASSKEYS_PAGE)
    return form_page(request, "accounts/rename_passkey.html", {"passkey": passkey, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def remove_passkey(request: SiteRequest) -> HttpResponse:
    """Asks, then removes the passkey in `passkey`. If it is gone already, nothing is asked."""
    if request.method == "POST":
        credential_hash = request.GET.get("passkey", "")[:64]
        try:
            writes.remove_passkey(by=request.user, credential_hash=credential_hash)
        except writes.LastWayIn:
            messages.error(request, _("You need this passkey to sign in, so it stays."))
        else:
            messages.success(request, _("Passkey removed."))
        return redirect(PASSKEYS_PAGE)
    return render(request, "accounts/remove_passkey.html", {"passkey": _passkey(request)})


def _passkey(request: SiteRequest) -> PasskeyRow:
    keyring = get_keyring(request.user.user_id)
    return keyring.find(request.GET.get("passkey", ""))


SESSION_HANDLE = "user-handle"  # of an account that has no passkey yet, until its first one
BYTES_OF_HANDLE = 32


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
@sensitive_post_parameters("credential")
def add_passkey(request: SiteRequest) -> HttpResponse:
    """Asks for a name and for a passkey, and keeps both. Leads back to the list if there can be no more."""
    keyring, party = get_keyring(request.user.user_id), relying_party(request)
    if keyring.is_full or party is None:
        return redirect(PASSKEYS_PAGE)
    name = browser_name(request.headers.get("User-Agent", ""))
    form = NewPasskeyForm(
        request.POST if request.method == "POST" else None, initial={"name": name}
    )
    if form.is_valid():
        answer = form.cleaned_data["credential"]
        try:
            writes.add_passkey(
                by=request.user,
                party=party,
                challenge=take_challenge(request.session, answer),
                answer=answer,
                user_handle=request.session.get(SESSION_HANDLE) or keyring.user_handle,
                name=form.cleaned_data["name"],
            )
        except writes.PasskeyExists:
            form.add_error(None, _("You’ve already added this passkey."))
        except WrongPasskey:
            form.add_error(None, DID_NOT_WORK)
        except writes.NoRoomForIt:
            form.add_error(None, DID_NOT_WORK)
            keyring = get_keyring(request.user.user_id)  # another browser has changed it meanwhile
        else:
            request.session.pop(SESSION_HANDLE, None)
            messages.success(request, _("Passkey added. You can sign in with it from now on."))
            return redirect(PASSKEYS_PAGE)
    return _ask(request, form, party, keyring)


def _ask(
    request: SiteRequest, form: NewPasskeyForm, party: RelyingParty, keyring: Keyring
) -> HttpResponse:
    options = to_make_one(
        request.user,
        party,
        new_challenge(request.session),
        user_handle=_user_handle(request, keyring),
        keyring=keyring,
    )
    return form_page(request, "accounts/add_passkey.html", {"form": form, "options": options})


def _user_handle(request: SiteRequest, keyring: Keyring) -> str:
    """Returns the account's random name in passkeys. Before the first passkey it is a new one, which the session keeps:
    looking at the page writes nothing."""
    if keyring.user_handle:
        request.session.pop(SESSION_HANDLE, None)
        return keyring.user_handle
    made = bytes_to_base64url(secrets.token_bytes(BYTES_OF_HANDLE))
    return str(request.session.setdefault(SESSION_HANDLE, made))


@require_safe
def change_password(request: HttpRequest) -> HttpResponse:
    """Redirects to the page on which people change their password. Reads nothing from the table."""
    return redirect("/settings/password")


@require_safe
def related_origins(request: HttpRequest) -> HttpResponse:
    """Names the origins of other domains that may use this domain's passkeys (WebAuthn, related origin requests):
    browsers ask for it there, at the domain of the passkeys. Reads nothing from the table."""
    if not settings.PASSKEY_DOMAIN or not settings.PASSKEY_RELATED:
        raise NotFound("no related origins")
    origins = [*settings.PASSKEY_ORIGINS, *settings.PASSKEY_RELATED]
    response = JsonResponse({"origins": origins})
    patch_cache_control(response, public=True, max_age=DAY)
    return response


@require_safe
def passkey_endpoints(request: HttpRequest) -> HttpResponse:
    """Names the pages for passkeys, if there can be any. Reads nothing from the table."""
    if relying_party(request) is None:
        raise NotFound("no passkeys here")
    pages = {"enroll": "/settings/passkeys/add", "manage": "/settings/passkeys"}
    whole = {name: request.build_absolute_uri(page) for name, page in pages.items()}
    response = JsonResponse(whole)
    patch_cache_control(response, public=True, max_age=DAY)
    return response
