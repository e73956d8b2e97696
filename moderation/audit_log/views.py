"""The audit log, month by month, for staff, and the public log for everyone."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.audit_log.reads import (
    first_day,
    list_audit_entries,
    list_months,
    list_public_entries,
)
from moderation.staff.forms import HandleField
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import NotFound, Page
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


class LogForm(forms.Form):
    """`months` are those that the log covers, newest first."""

    month = forms.ChoiceField(label=_("Month"))
    moderator = HandleField(label=_("Done by"), required=False)
    person = HandleField(label=_("Done to"), required=False)

    def __init__(self, *args: Any, months: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["month"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (month, date_format(first_day(month), "YEAR_MONTH_FORMAT")) for month in months
        ]


ASKED = ("month", "moderator", "person")


@require_safe
@permission_required(Permission.LOG)
def log(request: SiteRequest) -> HttpResponse:
    """Shows a month, at first the current one, filtered by the person who acted and the person concerned. htmx gets the
    next rows."""
    months = list_months()
    asked = {name: value for name in ASKED if (value := request.GET.get(name, "").strip())}
    form = LogForm({"month": months[0], **asked}, months=months)
    page: Page = Page(())
    if form.is_valid():
        wanted = form.cleaned_data
        page = list_audit_entries(
            wanted["month"],
            cursor=cursor_of(request),
            moderator_id=wanted["moderator"],
            person_id=wanted["person"],
        )
    context = {
        "form": form,
        "entries": page.items,
        "is_narrowed": "moderator" in asked or "person" in asked,
        **neighbours(request, page, **asked),
    }
    status = 200 if form.is_valid() else 422
    return page_or_fragment(
        request,
        "moderation/audit/log.html",
        "moderation/audit/_log_rows.html",
        context,
        status=status,
    )


@require_safe
def public_log(request: SiteRequest) -> HttpResponse:
    """Shows the public log if the site has one. htmx gets the next rows."""
    rules = site_rules()
    if not rules.public_log:
        raise NotFound("the log is not public")
    months = list_months()
    month = request.GET.get("month", months[0])
    if month not in months:
        raise NotFound("no such month")
    page = list_public_entries(month, cursor=cursor_of(request), with_names=rules.log_shows_names)
    at = months.index(month)
    context = {
        "month_text": date_format(first_day(month), "YEAR_MONTH_FORMAT"),
        "month_before": months[at + 1] if at + 1 < len(months) else "",
        "month_after": months[at - 1] if at else "",
        "entries": page.items,
        **neighbours(request, page, month=month),
    }
    return page_or_fragment(
        request,
        "moderation/audit/public_log.html",
        "moderation/audit/_public_log_rows.html",
        context,
    )
