"""What a view may expect of every request, from members and visitors alike."""

from django.http import HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request with htmx's details."""

    htmx: HtmxDetails
    POST: QueryDict  # type: ignore[assignment]
