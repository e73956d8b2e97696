"""The page on which you change your password."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms.new_password import ChangePasswordForm
from accounts.requests import SiteRequest, sign_in_required
from accounts.services.change_password import change_password
from accounts.services.sign_in import WrongPassword, read_stamp
from accounts.signing_in.known_browsers import remember_browser
from accounts.signing_in.second_factor import WrongCode, get_second_factor
from accounts.views.prove_identity import count_proof, refuse_proof
from accounts.views.security import PAGE
from accounts.views.sign_in import browser_of, keep_session
from socialsite.web.fragments import form_page


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
