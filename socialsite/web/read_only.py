"""What people see while the site is only read: a banner on every page, before it too, and a page or a line in place of
an answer to what they send, with what they typed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from socialsite.site_settings.read_only import (
    ReadOnlyNow,
    Why,
    announced,
    closed_while_read_only,
    read_only_now,
)
from socialsite.site_settings.site_setup import Maintenance
from socialsite.web.preferences import full_date

GetResponse = Callable[[HttpRequest], HttpResponse]

SAFE = ("GET", "HEAD", "OPTIONS")
# A form with one of these is not shown again: what they hold is typed anew, or was meant for one use.
SECRETS = ("password", "code", "token", "secret", "proof", "credential")
NOT_KEPT = ("csrfmiddlewaretoken",)
MOST_FIELDS = 60


def close_while_read_only(get_response: GetResponse) -> GetResponse:
    """Refuses every write of a request while the site is only read. Looks at this process's copy of the settings, and
    before a form is taken makes sure that it is fresh. Reading goes on, and so does what writes nothing."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE:
            read_only_now()
        with closed_while_read_only():
            return get_response(request)

    return middleware


def in_templates(request: HttpRequest) -> dict[str, Any]:
    """The context processor for `read_only`, as which every page shows what the banner says, empty while everything is
    as always."""
    now = read_only_now()
    return {"read_only": banner_of(now) if now else _announcement()}


def banner_of(now: ReadOnlyNow) -> str:
    """Returns what every page says while the site is only read. A region that only reads says nothing: it is so every
    day, and the form says it."""
    if now.why == Why.REGION:
        return ""
    return sentence_of(now)


def sentence_of(now: ReadOnlyNow) -> str:
    """Returns in words why nothing can be saved, and until when, in the reader's time zone."""
    if now.why == Why.FULL:
        return _("The disk of this site is full, so nothing can be saved until someone makes room.")
    if now.until:
        told = _("You can read here, but nothing can be saved until %(time)s.") % {
            "time": _time(now.until)
        }
    else:
        told = _("You can read here, but right now nothing can be saved.")
    return f"{told} {now.message}".strip()


def _announcement() -> str:
    ahead = announced()
    return times_of(ahead) if ahead else ""


def times_of(plan: Maintenance) -> str:
    """Returns in words from when to when the site is only read, in the reader's time zone."""
    times = {"begins": _time(plan.begins), "ends": _time(plan.told_end) if plan.told_end else ""}
    if plan.told_end:
        told = _("From %(begins)s to %(ends)s you can only read here.") % times
    else:
        told = _("From %(begins)s on you can only read here for a while.") % times
    return f"{told} {plan.message}".strip()


def _time(iso: str) -> str:
    return full_date(datetime.fromisoformat(iso))


@dataclass(frozen=True, slots=True)
class Typed:
    """One field of a form that could not be saved."""

    name: str
    value: str

    @property
    def is_text(self) -> bool:
        """Whether someone typed it, rather than chose it or got it with the page."""
        return " " in self.value.strip() or "\n" in self.value


def typed_in(request: HttpRequest) -> list[Typed]:
    """Returns what the form held, to be sent once more from the page that says why it was not saved. Nothing of a form
    with a secret, of one that another site sent, or of one that this page could not send again."""
    form = request.POST
    if not form or not getattr(request, "csrf_processing_done", False):
        return []
    names = [name for name in form if name not in NOT_KEPT]
    if len(names) > MOST_FIELDS or any(one in name.lower() for name in names for one in SECRETS):
        return []
    return [Typed(name, value) for name in names for value in form.getlist(name)]
