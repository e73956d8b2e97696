"""Addresses that password managers look for: where to change a password, and where to add and manage passkeys."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from accounts.passkeys.relying_party import relying_party
from socialsite.table.errors import NotFound
from socialsite.web.pages.manifest import DAY


@require_safe
def change_password(request: HttpRequest) -> HttpResponse:
    """Redirects to the page on which people change their password. Reads nothing from the table."""
    return redirect("/settings/password")


@require_safe
def passkey_endpoints(request: HttpRequest) -> HttpResponse:
    """Names the pages for passkeys, if there can be any. Reads nothing from the table."""
    if relying_party(request) is None:
        raise NotFound("no passkeys here")
    pages = {"enroll": "/settings/passkeys/add", "manage": "/settings/passkeys"}
    whole = {name: request.build_absolute_uri(page) for name, page in pages.items()}
    response = JsonResponse(whole)
    patch_cache_control(response, public=True, max_age=DAY)
    return response
