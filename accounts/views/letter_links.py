"""Pages that a link in a letter opens. Their address holds a secret.

They act on the account that the link is for, in any browser, whoever is signed in there, and sign nobody in. Looking
changes nothing, because programs that check letters for viruses follow every link.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest
from accounts.signing_in.tokens import LinkGone

P = ParamSpec("P")
LinkView = Callable[Concatenate[SiteRequest, P], HttpResponse]


def opened_by_letter(*, gone: str) -> Callable[[LinkView[P]], LinkView[P]]:
    """Keeps the page's address to this site and this moment. Answers `LinkGone` with the template `gone` and 404."""

    def decorate(view: LinkView[P]) -> LinkView[P]:
        @wraps(view)
        def opened(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                response = view(request, *args, **kwargs)
            except LinkGone:
                response = render(request, gone, status=404)
            # `no-referrer` would send "Origin: null" with the form, which looks like one from another site.
            response["Referrer-Policy"] = "strict-origin"
            return response

        return require_http_methods(["GET", "HEAD", "POST"])(never_cache(opened))

    return decorate
