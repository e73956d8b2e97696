"""The second step of a sign-in with a password: a code, for accounts with two-step verification."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms.passkeys import PasskeyForm
from accounts.forms.second_factor import CodeForm
from accounts.passkeys.keyring import get_keyring
from accounts.passkeys.options import offer_passkey
from accounts.requests import SiteRequest
from accounts.services import sign_in as service
from accounts.signing_in.half import SESSION_HALF, Half, half_of
from accounts.signing_in.known_browsers import network_of
from accounts.signing_in.origins import origins_of
from accounts.signing_in.second_factor import WrongCode
from accounts.signing_in.slow_guesses import code_lanes
from accounts.views.refusals import refusable, say_wait, say_wrong_code
from accounts.views.sign_in import browser_of, finish_sign_in, safe_target
from socialsite.web.bounds.limits import LimitReached, client_address
from socialsite.web.bounds.slowdown import give_back, take_turn


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
            secret = service.sign_in_with_code(
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
        except service.WrongPassword:  # it was changed after it was typed here
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
