"""The receipt of an account that was closed, for everyone who has its address. It names nobody."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from privacy.erasure.receipts import get_receipt
from socialsite.web.fragments import page_or_fragment


@require_safe
@never_cache
def show(request: SiteRequest, receipt_id: str) -> HttpResponse:
    """Shows how far the erasure is, what it deleted, and what stays until when. To htmx that alone: until the erasure
    is over the page asks again."""
    context = {"receipt": get_receipt(receipt_id)}
    return page_or_fragment(request, "privacy/receipt.html", "privacy/_receipt.html", context)
