"""The settings of notifications."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from notifications.forms import NotificationsForm
from notifications.services.choose_notifications import choose_notifications
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def choices(request: SiteRequest) -> HttpResponse:
    """Shows and saves what the viewer wants to be told."""
    sent = request.POST if request.method == "POST" else None
    viewer = request.user
    form = NotificationsForm(sent, opted_out=viewer.opted_out, is_staff=viewer.is_staff)
    if form.is_valid():
        choose_notifications(by=request.user, opted_out=form.opted_out())
        messages.success(request, _("Settings saved."))
        return redirect(request.path)
    return form_page(request, "notifications/choices.html", {"form": form})
