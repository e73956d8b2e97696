"""The pages of costs."""

from contextlib import suppress
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import permission_required
from accounts.people.cards import count_text
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from costs import bill
from costs.prices import exactly, money, price
from costs.report import (
    TABLES,
    Figures,
    csv_of,
    day_bars,
    decades_around,
    growth_lines,
    read_figures,
)
from costs.stored import AlreadyCounting, count_stored, counted_so_far
from socialsite.table import NotFound

MOST_ROWS = 25  # of the long tables; the CSV has all
DAYS = {7: gettext_lazy("7 days"), 30: gettext_lazy("30 days"), 1: gettext_lazy("Today")}
DEFAULTS = {"days": "7", "active": "20", "followers": "1"}


class CostForm(forms.Form):
    """What the page is asked: how many days it looks back on, and what the forecast assumes."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("Look back on"), choices=list(DAYS.items()), coerce=int
    )
    active = forms.FloatField(
        label=gettext_lazy("People here on a day, in percent"), min_value=0.1, max_value=100
    )
    followers = forms.FloatField(
        label=gettext_lazy("Followers, times as many as now"), min_value=0.1, max_value=10_000
    )

    @classmethod
    def asked(cls, asked: QueryDict) -> "CostForm":
        """The form with what was asked. What was not asked for is as usual."""
        given: dict[str, Any] = {name: asked[name] for name in DEFAULTS if name in asked}
        return cls(DEFAULTS | given)

    @classmethod
    def usual(cls) -> "CostForm":
        form = cls(DEFAULTS)
        form.is_valid()
        return form


@require_safe
@permission_required(Permission.COSTS)
def costs(request: SiteRequest) -> HttpResponse:
    """Shows what was spent and stored, and the forecast."""
    form = CostForm.asked(request.GET)
    is_valid = form.is_valid()
    asked = form.cleaned_data if is_valid else CostForm.usual().cleaned_data
    figures = read_figures(asked)
    context = {
        "form": form,
        "asked": asked,
        "query": "&".join(f"{name}={value}" for name, value in asked.items()),
        "figures": figures,
        "spenders": list(figures.report.spenders.items())[:MOST_ROWS],
        "types": figures.stored.types[:MOST_ROWS] if figures.stored else (),
        "features": figures.report.features.items(),
        "day_plot": _day_plot(figures),
        "growth_plot": _growth_plot(figures),
        "counting": counted_so_far(),
        "prices": settings,
        "sample": f"{settings.COST_SAMPLE:.3g}",
        **_bill(figures),
    }
    return render(request, "costs/costs.html", context, status=200 if is_valid else 422)


def _bill(figures: Figures) -> dict[str, Any]:
    def rows(*lines: bill.Line) -> list[tuple[bill.Line, list[float | None]]]:
        return [(line, [one.of(line) for one in figures.bills]) for line in lines]

    return {
        "bill": bill,
        "bill_assumed": (*(() if figures.months else bill.BEFORE), *bill.ASSUMED),
        "bill_rows": rows(*bill.LINES),
        "bill_small": rows(*bill.SMALL),
        "replaced": bill.replaced(settings.PRICES),
    }


def _day_plot(figures: Figures) -> SafeString:
    totals = [day.total for day in figures.report.days]
    values = [
        (price(reads=one.reads, writes=0), price(reads=0, writes=one.writes)) for one in totals
    ]
    most = money(max(below + above for below, above in values))
    return day_bars(values, title=_("Money on each day: at most %(most)s") % {"most": most})


def _growth_plot(figures: Figures) -> SafeString:
    """Returns the whole bills as a plot."""
    bills = figures.bills
    least, most = bills[0], bills[-1]
    title = _("A month with %(few)s people costs %(little)s, with %(many)s people %(much)s") % {
        "few": count_text(least.people),
        "little": money(least.total),
        "many": count_text(most.people),
        "much": money(most.total),
    }
    marks = decades_around([one.total for one in bills])
    return growth_lines(
        [(one.people, one.total, count_text(one.people)) for one in bills],
        title=title,
        amounts=[(mark, exactly(Decimal(f"{mark:g}"))) for mark in marks],
    )


@require_POST
@permission_required(Permission.COSTS)
def count(request: SiteRequest) -> HttpResponse:
    """Starts a count. Does nothing more if one is under way."""
    with suppress(AlreadyCounting):
        count_stored(by=request.user)
    messages.success(request, _("The worker is counting. Reload this page to see how far it is."))
    return redirect("/moderation/costs#stored")


@never_cache
@require_safe
@permission_required(Permission.COSTS)
def download(request: SiteRequest, table: str) -> HttpResponse:
    """Sends one table, of the same days and assumptions as the page that links here."""
    if table not in TABLES:
        raise NotFound("no such table")
    form = CostForm.asked(request.GET)
    if not form.is_valid():
        told = _("This address is not one that the cost page links to.")
        return HttpResponse(told, status=422, content_type="text/plain; charset=utf-8")
    response = HttpResponse(
        csv_of(table, read_figures(form.cleaned_data)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="costs-{table}.csv"'
    return response
