"""The staff page of someone's reports: what became of them, and muting them for a time."""

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.people.cards import PersonCard
from accounts.permissions import Permission, outranks
from accounts.requests import SiteRequest
from moderation.cases.decisions import IsStaff
from moderation.cases.limits import BeyondLimits
from moderation.cases.reporters import get_reporter
from moderation.people.reads import people_url
from moderation.people.views import not_oneself
from moderation.reporters.writes import mute_reporter, unmute_reporter
from moderation.securing.reads import get_account
from socialsite.clock import utc_now

DAYS = [
    ("7", gettext_lazy("7 days")),
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("1 year")),
]


class MuteReportsForm(forms.Form):
    days = forms.TypedChoiceField(
        label=gettext_lazy("For how long?"), choices=DAYS, coerce=int, initial="30"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@permission_required(Permission.CASES)
@not_oneself
def reporter(request: SiteRequest, user_id: str) -> HttpResponse:
    """Shows what became of someone's reports, and mutes them for a time."""
    person = get_account(user_id)
    form = MuteReportsForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        until = utc_now() + timedelta(days=form.cleaned_data["days"])
        try:
            mute_reporter(by=request.user, user_id=user_id, until=until)
        except IsStaff:  # since the page was read
            messages.error(request, _("This person is on the staff."))
        except BeyondLimits as beyond:
            form.add_error("days" if beyond.field else None, beyond.told)
            return _page(request, person, form, status=422)
        else:
            messages.success(request, _("Their reports are muted. They are not told."))
        return redirect(_url(user_id))
    return _page(request, person, form, status=422 if form.is_bound else 200)


@require_POST
@never_cache
@permission_required(Permission.CASES)
@not_oneself
def unmute(request: SiteRequest, user_id: str) -> HttpResponse:
    """Hears someone's reports again."""
    unmute_reporter(by=request.user, user_id=user_id)
    messages.success(request, _("Their reports are heard again."))
    return redirect(_url(user_id))


def _url(user_id: str) -> str:
    return f"{people_url(user_id)}/reports"


def _page(
    request: SiteRequest, person: PersonCard, form: MuteReportsForm, *, status: int
) -> HttpResponse:
    context = {
        "person": person,
        "reporter": get_reporter(person.user_id),
        "form": form,
        "url": _url(person.user_id),
        "may_mute": not person.role,
        "is_above": not person.role or outranks(request.user, person.role),
        "back": people_url(person.user_id),
    }
    return render(request, "moderation/reporters/reporter.html", context, status=status)
