"""Taking something off a list of the site."""

from collections.abc import Callable
from contextlib import suppress

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from socialsite.table.errors import NotFound


def remove_and_say(
    request: HttpRequest, remove: Callable[[], None], text: str, *, to: str
) -> HttpResponse:
    """Removes it, says so on the page of the list, and does nothing if it is already gone."""
    with suppress(NotFound):
        remove()
    messages.success(request, text)
    return redirect(to)
