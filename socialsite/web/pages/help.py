"""The keyboard help, as a page and as the dialog that `?` opens."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from socialsite.web.fragments import page_or_fragment
from socialsite.web.requests import HtmxRequest


@require_safe
def keys(request: HtmxRequest) -> HttpResponse:
    return page_or_fragment(request, "help/keys.html", "help/_keys.html", {})
