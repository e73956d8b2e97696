"""The receipt of an account that was closed, for everyone who has its address. It names nobody."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from privacy.erasure.receipts import get_receipt


@require_safe
@never_cache
def show(request: HttpRequest, receipt_id: str) -> HttpResponse:
    """Shows how far the erasure is, what it deleted, and what stays until when."""
    return render(request, "privacy/receipt.html", {"receipt": get_receipt(receipt_id)})
