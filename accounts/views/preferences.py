"""How the site looks and behaves for the viewer: a settings page, and the small language switch."""

from dataclasses import asdict, replace

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms.preferences import PreferencesForm
from accounts.requests import SiteRequest
from accounts.services import save_preferences as service
from accounts.views.sign_in import safe_target
from socialsite.web.fragments import form_page
from socialsite.web.preferences import (
    Preferences,
    keep_in_browser,
    language_for,
    preferences_of,
)


@require_http_methods(["GET", "HEAD", "POST"])
def appearance(request: SiteRequest) -> HttpResponse:
    """Shows and saves the preferences of this browser, for visitors too."""
    typed = request.POST if request.method == "POST" else None
    form = PreferencesForm(typed, initial=asdict(preferences_of(request)))
    if form.is_valid():
        preferences = Preferences(**form.cleaned_data)
        response = _save(request, preferences, to=request.path)
        with override(language_for(request, preferences)):
            messages.success(request, _("Settings saved."))
        return response
    response = form_page(request, "accounts/appearance.html", {"form": form})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def language(request: SiteRequest) -> HttpResponse:
    """Changes only the language, and shows the same page in it."""
    wanted = request.POST.get("language")
    if wanted not in dict(settings.LANGUAGES):
        raise BadRequest("language is one that the site speaks")
    preferences = replace(preferences_of(request), language=wanted)
    return _save(request, preferences, to=safe_target(request))


def _save(request: SiteRequest, preferences: Preferences, *, to: str) -> HttpResponse:
    if request.user.is_authenticated:
        service.save_preferences(by=request.user, preferences=preferences)
    response = redirect(to)
    keep_in_browser(response, preferences)
    return response
