"""Setting up two-step verification, moving it to another phone, turning it off, and new recovery codes."""

import time
from contextlib import suppress

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.encryption.encrypted_text import is_readable
from accounts.forms.second_factor import CodeForm, PasswordForm, ProofForm
from accounts.middleware import SESSION_SECRET
from accounts.requests import SiteRequest, sign_in_required
from accounts.services import second_factor as service
from accounts.services.prove_identity import renew_sign_in
from accounts.services.sign_in import WrongPassword
from accounts.signing_in.second_factor import (
    SecondFactor,
    WrongCode,
    address_for_app,
    decrypt_secret,
    get_second_factor,
    in_groups,
    qr_code,
)
from accounts.views.prove_identity import count_proof, refuse_proof
from accounts.views.security import PAGE, show_security
from socialsite.table.errors import TableError
from socialsite.web.fragments import form_page

SET_UP = f"{PAGE}/set-up"
REPLACEMENT = f"{PAGE}/replace/set-up"
SESSION_SET_UP = "set-up"  # an encrypted key, and until when it may be used
SESSION_REPLACEMENT = "replacement"  # the same, of someone who gave a code of the old phone
SECONDS_TO_SET_UP = 900


@require_POST
@never_cache
@sign_in_required
@sensitive_post_parameters("password")
def begin(request: SiteRequest) -> HttpResponse:
    """Asks for the password, then leads to the set-up with a new key, which the session keeps encrypted."""
    form = PasswordForm(request.POST)
    if form.is_valid():
        count_proof(request)
        try:
            encrypted = service.begin_second_factor(by=request.user, **form.cleaned_data)
        except WrongPassword as error:
            refuse_proof(request, form, error)
        except service.AlreadyOn:
            return redirect(PAGE)
        else:
            request.session[SESSION_SET_UP] = [encrypted, int(time.time()) + SECONDS_TO_SET_UP]
            return redirect(SET_UP)
    return show_security(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@sensitive_post_parameters("code")
def set_up(request: SiteRequest) -> HttpResponse:
    """Shows the key for the app. The first code turns two-step verification on and shows the recovery codes once."""
    encrypted = _encrypted_secret(request, SESSION_SET_UP)
    if not encrypted:
        return redirect(PAGE)
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        count_proof(request)
        try:
            codes = service.turn_on_second_factor(
                by=request.user, encrypted=encrypted, **form.cleaned_data
            )
        except WrongCode as error:
            refuse_proof(request, form, error)
        except service.AlreadyOn:
            del request.session[SESSION_SET_UP]
            return redirect(PAGE)
        else:
            del request.session[SESSION_SET_UP]
            _renew_secret(request)
            return _show_codes(request, codes, is_new=True)
    return _show_key(request, form, encrypted)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@sensitive_post_parameters("password", "code")
def replace(request: SiteRequest) -> HttpResponse:
    """Asks for the password and a code of the old phone, or a recovery code, then leads to the key for another one."""
    factor = get_second_factor(request.user.user_id, consistent=True)
    if not factor.is_on:
        return redirect(PAGE)
    form = _proof_form(request)
    if form.is_valid():
        count_proof(request)
        try:
            encrypted = service.begin_replacement(by=request.user, **form.cleaned_data)
        except (WrongPassword, WrongCode) as error:
            refuse_proof(request, form, error)
        else:
            until = int(time.time()) + SECONDS_TO_SET_UP
            request.session[SESSION_REPLACEMENT] = [encrypted, until]
            return redirect(REPLACEMENT)
    return _ask(request, "accounts/replace_second_factor.html", form, factor)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@sensitive_post_parameters("code")
def set_up_replacement(request: SiteRequest) -> HttpResponse:
    """Shows the key for the other phone. Its first code ends the old one, and new recovery codes are shown once."""
    encrypted = _encrypted_secret(request, SESSION_REPLACEMENT)
    if not encrypted:
        return redirect(PAGE)
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        count_proof(request)
        try:
            codes = service.replace_second_factor(
                by=request.user, encrypted=encrypted, **form.cleaned_data
            )
        except WrongCode as error:
            refuse_proof(request, form, error)
        else:
            del request.session[SESSION_REPLACEMENT]
            _renew_secret(request)
            return _show_codes(request, codes, is_moved=True)
    return _show_key(request, form, encrypted, is_moved=True)


def _show_key(
    request: SiteRequest, form: CodeForm, encrypted: str, *, is_moved: bool = False
) -> HttpResponse:
    secret = decrypt_secret(encrypted, user_id=request.user.user_id)
    address = address_for_app(secret, handle=request.user.handle)
    context = {
        "form": form,
        "secret": in_groups(secret),
        "address": address,
        "qr_code": qr_code(address),
        "is_moved": is_moved,
    }
    return form_page(request, "accounts/set_up_second_factor.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@sensitive_post_parameters("password", "code")
def renew_codes(request: SiteRequest) -> HttpResponse:
    """Asks for password and code, then shows ten new recovery codes once. The old codes stop working."""
    factor = get_second_factor(request.user.user_id, consistent=True)
    if not factor.is_on:
        return redirect(PAGE)
    form = _proof_form(request)
    if form.is_valid():
        count_proof(request)
        try:
            codes = service.renew_recovery_codes(by=request.user, **form.cleaned_data)
        except (WrongPassword, WrongCode) as error:
            refuse_proof(request, form, error)
        else:
            _renew_secret(request)
            return _show_codes(request, codes)
    return _ask(request, "accounts/renew_recovery_codes.html", form, factor)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@sensitive_post_parameters("password", "code")
def turn_off(request: SiteRequest) -> HttpResponse:
    """Asks for password and code, then turns two-step verification off. Staff may have to keep it on."""
    factor = get_second_factor(request.user.user_id, consistent=True)
    if not factor.is_on:
        return redirect(PAGE)
    form = _proof_form(request)
    if form.is_valid():
        count_proof(request)
        try:
            service.turn_off_second_factor(by=request.user, **form.cleaned_data)
        except service.StaffNeedsIt:
            form.add_error(
                None, _("Your role needs two-step verification, so you can’t turn it off.")
            )
        except (WrongPassword, WrongCode) as error:
            refuse_proof(request, form, error)
        else:
            _renew_secret(request)
            messages.success(request, _("Two-step verification is off."))
            return redirect(PAGE)
    return _ask(request, "accounts/turn_off_second_factor.html", form, factor)


def _renew_secret(request: SiteRequest) -> None:
    """Gives this browser a new secret too, as every other one was signed out."""
    # Recovery codes are shown once, so a table that does not answer just now must not hide them.
    with suppress(TableError):
        request.session[SESSION_SECRET] = renew_sign_in(by=request.user)


def _encrypted_secret(request: SiteRequest, kept_in: str) -> str:
    """Returns the encrypted key of this browser's set-up, empty if there is none, it took too long, or its `DATA_KEY`
    is gone."""
    encrypted, until = request.session.get(kept_in, ("", 0))
    return encrypted if until > time.time() and is_readable(encrypted) else ""


def _proof_form(request: SiteRequest) -> ProofForm:
    asked = "recovery" in request.GET
    return ProofForm(
        request.POST if request.method == "POST" else None, with_code=True, recovery=asked
    )


def _ask(
    request: SiteRequest, template: str, form: ProofForm, factor: SecondFactor
) -> HttpResponse:
    context = {"form": form, "factor": factor, "recovery": "recovery" in request.GET}
    return form_page(request, template, context)


def _show_codes(
    request: SiteRequest, codes: list[str], *, is_new: bool = False, is_moved: bool = False
) -> HttpResponse:
    context = {"codes": codes, "is_new": is_new, "is_moved": is_moved}
    return render(request, "accounts/recovery_codes.html", context)
