"""What a view may expect of a request: its viewer, the guards that require a sign-in, and answers that several pages
give: where to go next, the same page in another language, what was refused, a link of a letter.

A link in a letter holds a secret. It acts on the account that it is for, in any browser, whoever is signed in there,
and signs nobody in. Looking changes nothing, because programs that check letters for viruses follow every link.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest
from django.forms import Form
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.mail.tokens import LinkGone
from accounts.middleware import People
from accounts.people.viewer import Viewer
from socialsite.observing.logs import Event, note_event
from socialsite.web.fragments import HtmxRequest, form_page
from socialsite.web.limits import LimitReached
from socialsite.web.preferences import keep_in_browser, preferences_of

P = ParamSpec("P")


class SiteRequest(HtmxRequest):
    """A request with its viewer and the people of its address."""

    user: Viewer  # type: ignore[assignment]
    people: People


View = Callable[Concatenate[SiteRequest, P], HttpResponseBase]


def sign_in_required(view: View[P]) -> View[P]:
    """Sends visitors to the sign-in page, and back to the same page afterwards. People who are locked out get their
    account status instead."""

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return send_to_sign_in(request)

    return guarded


def account_required(view: View[P]) -> View[P]:
    """Like `sign_in_required`, for pages that people who are locked out can open too. `request.user.account_id` says
    who they are."""

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.account_id:
            return view(request, *args, **kwargs)
        return send_to_sign_in(request)

    return guarded


def send_to_sign_in(request: SiteRequest) -> HttpResponse:
    """Leads to the sign-in page and back, people who are locked out to their account status."""
    target = request.get_full_path() if request.method == "GET" else "/"
    sign_in = f"/login?{urlencode({'next': target})}"
    address = "/standing" if request.user.locked_out else sign_in
    if request.htmx:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = address
        return response
    return redirect(address)


def browser_of(request: SiteRequest) -> str:
    return request.headers.get("User-Agent", "")


def safe_target(request: SiteRequest) -> str:
    """Returns the address to go to afterwards if it starts with / and is on this site, otherwise home."""
    target = request.POST.get("next") or request.GET.get("next") or "/"
    allowed = target.startswith("/") and url_has_allowed_host_and_scheme(
        target, allowed_hosts=None, require_https=request.is_secure()
    )
    return target if allowed else "/"


APPS_ASK_HERE = "/oauth/authorize"


def waited_for_by_app(view: View[P]) -> View[P]:
    """Marks a page on the way on which someone lets an app in. An app that is a website opens it in a window of its own
    and waits there for the answer; the site's policy for windows would part the two."""

    @wraps(view)
    def kept(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        if safe_target(request).startswith(APPS_ASK_HERE) or request.path == APPS_ASK_HERE:
            response["Cross-Origin-Opener-Policy"] = "unsafe-none"
        return response

    return kept


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


def say_wait(form: Form, error: LimitReached, *, is_known: bool, account: str = "") -> None:
    """Tells the person how long to wait, and that a browser the account knows does not wait for other people's
    tries."""
    note_event(Event.LIMIT_REACHED, account=account, limit=error.kind)
    minutes, seconds = -(-error.retry_after // 60), error.retry_after
    if seconds < 100:
        text = ngettext(
            "Too many tries. Try again in %(n)d second.",
            "Too many tries. Try again in %(n)d seconds.",
            seconds,
        )
        said = text % {"n": seconds}
    else:
        text = ngettext(
            "Too many tries. Try again in %(n)d minute.",
            "Too many tries. Try again in %(n)d minutes.",
            minutes,
        )
        said = text % {"n": minutes}
    if not is_known:
        hint = _("In a browser where you signed in before, you can sign in now.")
        said = f"{said} {hint}"
    form.add_error(None, said)


def say_wrong_code(form: Form, *, account: str) -> None:
    note_event(Event.WRONG_CODE, account=account)
    form.add_error("code", _("That code is wrong or has already been used. Try the next one."))


def refusable(
    request: SiteRequest, template: str, context: dict[str, Any], refused: LimitReached | None
) -> HttpResponse:
    """Shows a form's page: plain, with its errors, or with how long to wait."""
    if refused is None:
        return form_page(request, template, context)
    response = render(request, template, context, status=429)
    response["Retry-After"] = str(refused.retry_after)
    return response


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
