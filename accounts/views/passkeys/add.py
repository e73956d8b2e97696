"""Adding a passkey: the page asks the browser to make one, and the form brings its public half."""

import secrets

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from webauthn.helpers import bytes_to_base64url

from accounts.forms.passkeys import DID_NOT_WORK, NewPasskeyForm
from accounts.guards import proof_required
from accounts.passkeys.answers import WrongPasskey
from accounts.passkeys.challenges import new_challenge, take_challenge
from accounts.passkeys.keyring import Keyring, get_keyring
from accounts.passkeys.options import to_make_one
from accounts.passkeys.relying_party import RelyingParty, relying_party
from accounts.requests import SiteRequest, sign_in_required
from accounts.services.passkeys import add as service
from accounts.signing_in.sign_ins import browser_name
from accounts.views.passkeys.manage import PAGE
from socialsite.web.fragments import form_page

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
        return redirect(PAGE)
    name = browser_name(request.headers.get("User-Agent", ""))
    form = NewPasskeyForm(
        request.POST if request.method == "POST" else None, initial={"name": name}
    )
    if form.is_valid():
        answer = form.cleaned_data["credential"]
        try:
            service.add_passkey(
                by=request.user,
                party=party,
                challenge=take_challenge(request.session, answer),
                answer=answer,
                user_handle=request.session.get(SESSION_HANDLE) or keyring.user_handle,
                name=form.cleaned_data["name"],
            )
        except service.PasskeyExists:
            form.add_error(None, _("You’ve already added this passkey."))
        except WrongPasskey:
            form.add_error(None, DID_NOT_WORK)
        except service.NoRoomForIt:
            form.add_error(None, DID_NOT_WORK)
            keyring = get_keyring(request.user.user_id)  # another browser has changed it meanwhile
        else:
            request.session.pop(SESSION_HANDLE, None)
            messages.success(request, _("Passkey added. You can sign in with it from now on."))
            return redirect(PAGE)
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
