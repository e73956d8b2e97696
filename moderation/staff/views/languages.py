"""The languages that a moderator reads, by which they can read the queue."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guards import never, permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.staff.forms import LanguagesForm
from moderation.staff.languages import languages_read_by
from moderation.staff.services.choose_languages import choose_languages
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.CASES, Permission.SIGN_UPS, changes=never)
def languages(request: SiteRequest) -> HttpResponse:
    """Asks which languages the viewer reads, and leads to the queue in these."""
    typed = request.POST if request.method == "POST" else None
    own = languages_read_by(request.user.user_id) if typed is None else ()
    form = LanguagesForm(typed, initial={"languages": list(own)})
    if form.is_valid():
        choose_languages(by=request.user, languages=form.cleaned_data["languages"])
        messages.success(request, _("Languages saved."))
        return redirect("/moderation/queue?language=mine")
    return form_page(request, "moderation/staff/languages.html", {"form": form})
