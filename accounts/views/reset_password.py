"""Forgetting a password: asking for a link, and choosing a new password on the page that it opens."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.forms.reset_password import ForgotPasswordForm, ResetPasswordForm
from accounts.requests import SiteRequest
from accounts.services import reset_password as service
from accounts.signing_in.second_factor import WrongCode
from accounts.signing_in.slow_guesses import code_lanes
from accounts.views.letter_links import opened_by_letter
from accounts.views.refusals import say_wait, say_wrong_code
from socialsite.web.bounds.limits import RESETS_BY_ADDRESS, LimitReached, client_address, count_hits
from socialsite.web.bounds.slowdown import give_back, take_turn
from socialsite.web.fragments import form_page

PAGE = "/password/forgot"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("email")
def forgot_password(request: SiteRequest) -> HttpResponse:
    """Asks for an email address, and says the same for every one: if it has an account, a letter is on its way."""
    form = ForgotPasswordForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        count_hits((RESETS_BY_ADDRESS, client_address(request)))
        service.ask_for_reset(**form.cleaned_data)
        return redirect(f"{PAGE}?sent")
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
    reset = service.get_reset(secret)
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
            service.reset_password(secret=secret, **form.cleaned_data)
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
