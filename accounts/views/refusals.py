"""What people are told whose password, code or passkey was refused, or who tried too often."""

from typing import Any

from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.requests import SiteRequest
from socialsite.web.bounds.limits import LimitReached
from socialsite.web.fragments import form_page
from socialsite.web.observing.security_log import Event, note_event


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
