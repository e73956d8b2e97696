"""The rules of the site, for everyone."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from socialsite.site.site_rules import site_rules


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Shows the rules in their order, each with its explanation."""
    site = site_rules()
    return render(request, "rules.html", {"rules": site.rules, "has_log": site.public_log})
