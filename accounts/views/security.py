"""Security settings: two-step verification at a glance, and where you are signed in."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.forms.second_factor import PasswordForm
from accounts.guards import proof_required
from accounts.requests import SiteRequest, sign_in_required
from accounts.services.end_sign_ins import end_other_sign_ins, end_sign_in
from accounts.signing_in.second_factor import get_second_factor
from accounts.signing_in.sign_ins import list_sign_ins
from socialsite.web.fragments import form_page

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
        "sign_ins": list_sign_ins(request.user),
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
@proof_required(back_to=PAGE)
def end_others(request: SiteRequest) -> HttpResponse:
    """Ends all sign-ins except this one, after a proof of identity."""
    count = end_other_sign_ins(by=request.user)
    text = ngettext(
        "Signed out of %(n)d other browser.", "Signed out of %(n)d other browsers.", count
    )
    messages.success(request, text % {"n": count})
    return redirect(PAGE)
