"""The page of your passkeys: which there are, another name, and removing one."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms.passkeys import PasskeyNameForm
from accounts.guards import proof_required
from accounts.passkeys.keyring import MOST_PASSKEYS, PasskeyRow, get_keyring
from accounts.passkeys.options import to_forget_others
from accounts.passkeys.relying_party import relying_party
from accounts.requests import SiteRequest, sign_in_required
from accounts.services.passkeys import change as service
from socialsite.web.fragments import form_page

PAGE = "/settings/passkeys"


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
        service.rename_passkey(
            by=request.user,
            credential_hash=passkey.credential_hash,
            name=form.cleaned_data["name"],
        )
        messages.success(request, _("Passkey renamed."))
        return redirect(PAGE)
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
            service.remove_passkey(by=request.user, credential_hash=credential_hash)
        except service.LastWayIn:
            messages.error(request, _("You need this passkey to sign in, so it stays."))
        else:
            messages.success(request, _("Passkey removed."))
        return redirect(PAGE)
    return render(request, "accounts/remove_passkey.html", {"passkey": _passkey(request)})


def _passkey(request: SiteRequest) -> PasskeyRow:
    keyring = get_keyring(request.user.user_id)
    return keyring.find(request.GET.get("passkey", ""))
