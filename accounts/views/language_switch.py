"""Switches the language on a page with a form: shows the same page again, with what was typed."""

from collections.abc import Mapping
from dataclasses import replace

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import override

from accounts.requests import SiteRequest
from socialsite.web.preferences import keep_in_browser, preferences_of


def asked_language(request: SiteRequest) -> str:
    """Returns the language whose button sent the form, empty if the form was really submitted. Raises `BadRequest` for
    a language that the site does not have."""
    wanted = request.POST.get("language")
    if wanted is not None and wanted not in dict(settings.LANGUAGES):
        raise BadRequest("language is one that the site speaks")
    return wanted or ""


def typed_so_far(request: SiteRequest) -> dict[str, str]:
    """Returns what the form held, to fill a new form. It leaves out passwords, because no page ever holds one."""
    return {name: str(text) for name, text in request.POST.items() if name != "password"}


def render_in(
    language: str, request: SiteRequest, template: str, context: Mapping[str, object]
) -> HttpResponse:
    """Shows a page in another language, and the browser remembers it."""
    preferences = replace(preferences_of(request), language=language)
    with override(language):
        response = render(request, template, dict(context))
    response["Content-Language"] = language
    keep_in_browser(response, preferences)
    return response
