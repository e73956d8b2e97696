"""The yearly figures: the page and the CSV for everyone, what staff enter, and the statistics of staff as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.words import NAMES
from moderation.figures import names
from moderation.figures.forms import FiguresForm
from moderation.figures.names import category_of
from moderation.figures.reads import Figures, bounds_of, get_figures, list_years
from moderation.figures.writes import enter_figures
from moderation.staff.overview import DURATIONS, get_overview
from moderation.staff.views import WITHIN
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import NotFound
from socialsite.web.fragments import form_page

Cell = str | int | float
NAMES_OF_STEPS = list(DURATIONS)


@require_safe
def transparency(request: SiteRequest, year: int | None = None) -> HttpResponse:
    """Shows the figures of a year, of this one if none is asked for."""
    years, asked = _asked(year)
    found = get_figures(asked)
    context = {
        "figures": found,
        "years": years,
        "notices": [(_reason(rule_id), times) for rule_id, times in found.rows(names.NOTICES, 0)],
        "reasons": [(_reason(rule_id), times) for rule_id, times in found.rows(names.ACTIONS, 1)],
        "measures": [(_kind(one.kind), one) for one in found.measures],
        "totals": _totals(found),
        "to_act": _within(found.median(names.TO_ACT)),
        "to_answer": _within(found.median(names.TO_ANSWER)),
        "may_enter": Permission.SITE in permissions_of(request.user),
    }
    return render(request, "moderation/figures/transparency.html", context)


def _totals(found: Figures) -> dict[str, int | None]:
    appeals, granted, refused = map(found.all, (names.APPEALS, names.GRANTED, names.REFUSED))
    return {
        "notices": found.all(names.NOTICES),
        "flagged": found.all(names.FLAGGED),
        "measures": found.all(names.ACTIONS),
        "noticed": found.all(names.ACTIONS, source=names.NOTICE),
        "own": found.all(names.ACTIONS, source=names.OWN),
        "taken_back": found.all(names.TAKEN_BACK),
        "held": found.all(names.HELD),
        "appeals": appeals,
        "granted": granted,
        "refused": refused,
        **{name.replace("-", "_"): found.typed(name) for name in names.TYPED_NAMES},
        "users": found.users,
    }


def _asked(year: int | None) -> tuple[list[str], str]:
    years = list_years()
    asked = str(year) if year else years[0]
    if asked not in years:
        raise NotFound("no figures of this year")
    return years, asked


def _reason(rule_id: str) -> str | Promise:
    return rule_of(rule_id).reason if rule_id else _("Others, fewer than 5 each")


def _kind(kind: str) -> str | Promise:
    return NAMES.get(kind, kind) if kind else _("Others, fewer than 5 each")


def _within(step: str) -> str:
    """Returns between which of the counted steps a median lies, empty without one."""
    if not step:
        return ""
    number = NAMES_OF_STEPS.index(step) if step in DURATIONS else len(NAMES_OF_STEPS)
    if not number:
        return _("less than %(high)s") % {"high": WITHIN[step]}
    if step not in DURATIONS:
        return str(WITHIN[step])
    low = WITHIN[NAMES_OF_STEPS[number - 1]]
    return _("between %(low)s and %(high)s") % {"low": low, "high": WITHIN[step]}


@require_safe
def download(request: SiteRequest, year: int) -> HttpResponse:
    """Sends the figures of a year as CSV, in English for machines: the section, what, the category, and the number."""
    asked = _asked(year)[1]
    head = "article", "section", "what", "category", "number"
    return _csv(f"transparency-{asked}", head, csv_rows(get_figures(asked)))


def csv_rows(found: Figures) -> Iterable[Sequence[Cell]]:
    """Returns the rows of the CSV. Groups below five are `others`, as on the page."""
    for rule_id, times in found.rows(names.NOTICES, 0):
        yield "15(1)(b)", "notices", rule_id or "others", _category(rule_id), times
    yield "15(1)(b)", "notices by trusted flaggers", "", "", 0
    for one in found.measures:
        what = one.kind or "others"
        yield "15(1)(c)", "actions by kind", what, "", one.times
        if one.kind:
            yield "15(1)(b)", "actions after a notice", what, "", one.noticed
            yield "15(1)(c)", "actions on own initiative", what, "", one.times - one.noticed
            yield "15(1)(e)", "actions by filters alone", what, "", one.by_filter
            yield "15(1)(c)", "actions taken back", what, "", one.taken_back
    for rule_id, times in found.rows(names.ACTIONS, 1):
        yield "15(1)(c)", "actions by reason", rule_id or "others", _category(rule_id), times
    yield "15(1)(b)", "cases where no rule was broken", "", "", found.dismissed
    yield from _median("15(1)(b)", "median from notice to action", found.median(names.TO_ACT))
    for what, filters in (("effects on accounts", found.effects), ("posts held", found.held)):
        yield "15(1)(e)", f"filters: {what}, decided", "", "", filters.decided
        yield "15(1)(e)", f"filters: {what}, found wrong", "", "", filters.wrong
        yield (
            "15(1)(e)",
            f"filters: {what}, error rate in percent",
            "",
            "",
            "" if filters.rate is None else filters.rate,
        )
    for what in (names.APPEALS, names.GRANTED, names.REFUSED):
        yield "15(1)(d)", f"complaints: {what}", "", "", found.all(what)
    yield from _median("15(1)(d)", "median from complaint to answer", found.median(names.TO_ANSWER))
    articles = {names.DISPUTES: "24(1)(a)", names.STAFF: "15(1)(c)", names.USERS: "24(2)"}
    for name in names.TYPED_NAMES:
        default = "24(1)(b)" if name.startswith("suspended") else "15(1)(a)"
        number = found.users if name == names.USERS else found.typed(name)
        yield (
            articles.get(name, default),
            "entered by staff",
            name,
            "",
            "" if number is None else number,
        )


def _median(article: str, section: str, step: str) -> Iterable[Sequence[Cell]]:
    low, high = bounds_of(step) if step else (0, 0)
    yield article, section, "seconds, more than", "", low if step else ""
    yield article, section, "seconds, at most", "", high or ""


def _category(rule_id: str) -> str:
    return category_of(rule_id) if rule_id else ""


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def figures(request: SiteRequest, year: int) -> HttpResponse:
    """Takes what staff enter of a year."""
    asked = _asked(year)[1]
    found = get_figures(asked)
    initial = {name: found.typed(name) for name in names.TYPED_NAMES}
    form = FiguresForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        enter_figures(by=request.user, year=asked, numbers=form.numbers)
        messages.success(request, _("Saved."))
        return redirect(f"/transparency/{asked}")
    return form_page(request, "moderation/figures/enter.html", {"form": form, "year": asked})


@never_cache
@require_safe
@permission_required(Permission.OVERVIEW)
def statistics(request: SiteRequest) -> HttpResponse:
    """Sends the overview of the last 30 days as CSV, without names of moderators."""
    found = get_overview()
    rows: list[Sequence[Cell]] = [("open cases", "", found.open_cases)]
    rows += [("waiting", queue.place, queue.count_text) for queue in found.queues]
    rows += [
        (
            "open for less than" if name != "more" else "open for more than",
            name if name != "more" else "3d",
            n,
        )
        for name, n in found.ages
    ]
    rows += [
        ("median first answer within", "", found.answered),
        ("median closed within", "", found.closed),
    ]
    rows += [("closed", "", found.cases_closed)]
    rows += [("reports", str(reason), times) for reason, times in found.rules]
    rows += [("actions", kind, times) for kind, times in found.actions]
    for day in found.days:
        at = day.day.isoformat()
        rows += [("sign-ups of a day", at, day.sign_ups), ("reports of a day", at, day.reports)]
        rows += [("actions of a day", at, day.actions)]
    return _csv("moderation", ("what", "which", "number"), rows)


FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _csv(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    # A text that a spreadsheet would calculate gets an apostrophe before it.
    writer.writerows(
        [f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in one]
        for one in rows
    )
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
