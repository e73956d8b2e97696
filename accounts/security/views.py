"""Security settings: where you are signed in; your password, and forgetting it: asking for a link, and choosing a
new one on the page that it opens; two-step verification, moving it to another phone, and new recovery codes."""

import time
from contextlib import suppress

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access.reads import list_signed_in
from accounts.access.writes import end_access
from accounts.credentials.forms import (
    ChangePasswordForm,
    CodeForm,
    ForgotPasswordForm,
    PasswordForm,
    ProofForm,
    ResetPasswordForm,
)
from accounts.credentials.passwords import WrongPassword
from accounts.credentials.second_factor import (
    SecondFactor,
    WrongCode,
    address_for_app,
    decrypt_secret,
    get_second_factor,
    in_groups,
    qr_code,
)
from accounts.encryption.site_keys import is_readable
from accounts.guards import proof_required
from accounts.middleware import SESSION_SECRET
from accounts.proof.views import count_proof, refuse_proof
from accounts.proof.writes import renew_sign_in
from accounts.requests import (
    SiteRequest,
    browser_of,
    opened_by_letter,
    say_wait,
    say_wrong_code,
    sign_in_required,
)
from accounts.security import writes
from accounts.security.writes import change_password
from accounts.sessions import end_other_sign_ins, end_sign_in
from accounts.sign_in.browsers import code_lanes, remember_browser
from accounts.sign_in.views import keep_session
from accounts.sign_in.writes import read_stamp
from socialsite.table import TableError
from socialsite.web.fragments import form_page
from socialsite.web.limits import (
    RESETS_BY_ADDRESS,
    LimitReached,
    client_address,
    count_hits,
    give_back,
    take_turn,
)

PAGE = "/settings/security"


@require_safe
@never_cache
@sign_in_required
def security(request: SiteRequest) -> HttpResponse:
    """Shows the page, with the form that starts two-step verification if it is off."""
    return show_security(request, PasswordForm())


def show_security(request: SiteRequest, form: PasswordForm) -> HttpResponse:
    factor = get_second_factor(request.user.user_id, consistent=True)
    must_be_on = request.user.is_staff and settings.STAFF_SECOND_FACTOR
    context = {
        "factor": factor,
        "must_be_on": must_be_on,
        "form": form,
        "signed_in": list_signed_in(request.user),
    }
    return form_page(request, "accounts/security.html", context)


@require_POST
@sign_in_required
@proof_required(back_to=PAGE)
def end_one_sign_in(request: SiteRequest) -> HttpResponse:
    """Ends one of the viewer's sign-ins in another browser, after a proof of identity: otherwise a thief could shut the
    owner out. Does nothing if it has ended or belongs to someone else."""
    end_sign_in(by=request.user, secret_hash=request.POST.get("sign_in", "")[:64])
    messages.success(request, _("Signed out of that browser."))
    return redirect(PAGE)


@require_POST
@sign_in_required
def end_app(request: SiteRequest) -> HttpResponse:
    """Ends what an app may do, in one press. Without a proof, as it takes nothing from the person but the app. Does
    nothing if it has ended or is someone else's."""
    end_access(user_id=request.user.user_id, secret_hash=request.POST.get("app", "")[:64])
    messages.success(request, _("The app can’t use your account any more."))
    return redirect(PAGE)


@require_POST
@sign_in_required
@proof_required(back_to=PAGE)
def end_others(request: SiteRequest) -> HttpResponse:
    """Ends all sign-ins except this one, after a proof of identity."""
    count = end_other_sign_ins(by=request.user)
    text = ngettext(
        "Signed out of %(n)d other browser.", "Signed out of %(n)d other browsers.", count
    )
    messages.success(request, text % {"n": count})
    return redirect(PAGE)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@sensitive_post_parameters("password", "code", "new_password")
def password(request: SiteRequest) -> HttpResponse:
    """Asks for the present password, the code if two-step verification is on, and the new password. This browser stays
    signed in, with a new secret; every other one is signed out."""
    factor = get_second_factor(request.user.user_id, consistent=True)
    recovery = "recovery" in request.GET
    form = ChangePasswordForm(
        request.POST if request.method == "POST" else None,
        handle=request.user.handle,
        with_code=factor.is_on,
        recovery=recovery,
    )
    if form.is_valid():
        count_proof(request)
        user_id = request.user.user_id
        try:
            secret = change_password(
                by=request.user, browser=browser_of(request), **form.cleaned_data
            )
        except (WrongPassword, WrongCode) as error:
            refuse_proof(request, form, error)
        else:
            keep_session(request, user_id, secret)
            text = _("Your password has changed. Every other browser is signed out.")
            messages.success(request, text)
            response = redirect(PAGE)
            stamp = read_stamp(user_id)
            remember_browser(request, response, user_id=user_id, stamp=stamp)
            return response
    context = {
        "form": form,
        "has_factor": factor.is_on,
        "passkeys": factor.passkeys,
        "recovery": recovery,
    }
    return form_page(request, "accounts/password.html", context)


FORGOT_PAGE = "/password/forgot"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("email")
def forgot_password(request: SiteRequest) -> HttpResponse:
    """Asks for an email address, and says the same for every one: if it has an account, a letter is on its way."""
    form = ForgotPasswordForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        count_hits((RESETS_BY_ADDRESS, client_address(request)))
        writes.ask_for_reset(**form.cleaned_data)
        return redirect(f"{FORGOT_PAGE}?sent")
    if not form.is_bound and not {"sent", "undone"}.isdisjoint(request.GET):
        context = {"undone": "undone" in request.GET}
        return render(request, "accounts/reset_sent.html", context)
    return form_page(request, "accounts/forgot_password.html", {"form": form})


@opened_by_letter(gone="accounts/reset_gone.html")
@sensitive_post_parameters("new_password", "code")
@sensitive_variables("secret")
def reset_password(request: SiteRequest, secret: str) -> HttpResponse:
    """Asks for the new password, and for a code if two-step verification is on. Every browser is signed out then, and
    the person signs in with the new password."""
    reset = writes.get_reset(secret)
    recovery = "recovery" in request.GET
    form = ResetPasswordForm(
        request.POST if request.method == "POST" else None,
        handle=reset.handle,
        with_code=reset.has_factor,
        recovery=recovery,
    )
    context = {"form": form, "reset": reset, "recovery": recovery}
    if form.is_valid():
        lanes = code_lanes(reset.user_id, address=client_address(request), browser_id="")
        try:
            if reset.has_factor:
                take_turn(lanes)
            writes.reset_password(secret=secret, **form.cleaned_data)
        except LimitReached as error:
            say_wait(form, error, is_known=True, account=reset.user_id)
            response = render(request, "accounts/reset_password.html", context, status=429)
            response["Retry-After"] = str(error.retry_after)
            return response
        except WrongCode:
            say_wrong_code(form, account=reset.user_id)
        else:
            if reset.has_factor:
                give_back(lanes)
            messages.success(
                request, _("Your password has changed. Please sign in with the new one.")
            )
            return redirect("/login")
    return form_page(request, "accounts/reset_password.html", context)


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
            encrypted = writes.begin_second_factor(by=request.user, **form.cleaned_data)
        except WrongPassword as error:
            refuse_proof(request, form, error)
        except writes.AlreadyOn:
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
            codes = writes.turn_on_second_factor(
                by=request.user, encrypted=encrypted, **form.cleaned_data
            )
        except WrongCode as error:
            refuse_proof(request, form, error)
        except writes.AlreadyOn:
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
            encrypted = writes.begin_replacement(by=request.user, **form.cleaned_data)
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
            codes = writes.replace_second_factor(
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
            codes = writes.renew_recovery_codes(by=request.user, **form.cleaned_data)
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
            writes.turn_off_second_factor(by=request.user, **form.cleaned_data)
        except writes.StaffNeedsIt:
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
