"""The help sheet of the keyboard: a page, and what `?` opens in the dialog."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from socialsite.web.fragments import page_or_fragment
from socialsite.web.requests import HtmxRequest


@require_safe
def keys(request: HtmxRequest) -> HttpResponse:
    return page_or_fragment(request, "help/keys.html", "help/_keys.html", {})
