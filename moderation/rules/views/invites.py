"""Invitations: creating them for a number of people and days, and ending them early."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.rules.forms.invites import InviteForm
from moderation.rules.invites import list_invites
from moderation.rules.services import invites as service
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from socialsite.web.fragments import form_page

PAGE = "/moderation/invites"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SIGN_UPS)
def invites(request: SiteRequest) -> HttpResponse:
    """Shows all invitations with their remaining uses, and a form for a new one."""
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with say_why_not(form, "uses"):
            service.make_invite(by=request.user, **form.cleaned_data)
    if form.is_valid():
        messages.success(request, _("Invitation created. Send its link."))
        return redirect(PAGE)
    context = {
        "invites": list_invites(),
        "form": form,
        "address": request.build_absolute_uri("/")[:-1],
    }
    return form_page(request, "moderation/rules/invites.html", context)


@require_POST
@permission_required(Permission.SIGN_UPS)
def end(request: SiteRequest, code: str) -> HttpResponse:
    """Ends an invitation. Does nothing if it has already ended."""
    return remove_and_say(
        request,
        lambda: service.end_invite(by=request.user, code=code),
        _("Invitation ended."),
        to=PAGE,
    )
