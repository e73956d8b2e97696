"""The sign-up page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms.account import SignUpForm
from accounts.services import sign_up as service
from accounts.views.sign_in import safe_target, start_session
from socialsite.web.limits import SIGN_UP_BY_ADDRESS, client_address, count_hits
from socialsite.web.preferences import chosen_preferences
from socialsite.web.requests import SiteRequest


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_up(request: SiteRequest) -> HttpResponse:
    """Shows the form; creates the account, signs it in and leads to the first steps, or where one wanted to go.

    A taken handle or e-mail is said beside its field.
    """
    target = safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        count_hits((SIGN_UP_BY_ADDRESS, client_address(request)))
        try:
            user_id = service.sign_up(**form.cleaned_data, preferences=chosen_preferences(request))
        except service.HandleTaken:
            form.add_error("handle", _("Somebody has this handle. Try another."))
        except service.EmailTaken:
            form.add_error("email", _("There is an account with this e-mail. Sign in instead?"))
        else:
            start_session(request, user_id)
            messages.success(request, _("Welcome, %(name)s!") % {"name": form.cleaned_data["name"]})
            return redirect(target if target != "/" else "/welcome")
    status = 422 if form.is_bound else 200
    context = {"form": form, "next": target if target != "/" else ""}
    return render(request, "accounts/signup.html", context, status=status)
