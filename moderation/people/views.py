"""The staff pages of everyone (four lists, and the search) and of one person: what is known of them, notes about them,
their level,
opening a case, and their other accounts.

What the table knows as a keyed hash alone (an email address, its domain, a network) is asked by POST, so that none of
these stands in the address of a page or in a log.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import wraps

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import Permission, outranks, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.forms import NoteForm
from moderation.cases.reads import kinds_open_to
from moderation.levels.forms import BY_RULES, LevelChoice
from moderation.levels.writes import give_level
from moderation.people.forms import (
    DomainSearchForm,
    EmailSearchForm,
    NetworkSearchForm,
    OpenCaseForm,
    SearchForm,
)
from moderation.people.reads import (
    Accounts,
    PersonFile,
    PersonRow,
    find_people,
    get_person_file,
    list_new_people,
    list_reported,
    list_restricted,
    list_staff_people,
    people_url,
)
from moderation.people.writes import (
    look_up_domain,
    look_up_email,
    look_up_network,
    note_person,
    open_case,
    view_accounts,
)
from moderation.staff.nav import count_soon
from socialsite.site_settings.levels import Level
from socialsite.table import Page
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])")
NEW, REPORTED, RESTRICTED, STAFF = "new", "reported", "restricted", "staff"
LISTS = {
    NEW: gettext_lazy("New"),
    REPORTED: gettext_lazy("Reported"),
    RESTRICTED: gettext_lazy("Restricted"),
    STAFF: gettext_lazy("Staff"),
}
NOBODY = {
    NEW: gettext_lazy("Nobody signed up in this month."),
    REPORTED: gettext_lazy("No case about a person is open."),
    RESTRICTED: gettext_lazy("Nobody is restricted."),
    STAFF: gettext_lazy("Nobody has a role."),
}


@require_safe
@never_cache
@permission_required(Permission.PEOPLE)
def people(request: SiteRequest) -> HttpResponse:
    """Shows one of the lists, or the people whom the search finds. htmx gets the next rows."""
    search = SearchForm(request.GET)
    text = search.cleaned_data["q"] if search.is_valid() else ""
    is_search = bool(text or search.errors)
    chosen = "" if is_search else request.GET.get("list", NEW)
    if chosen and chosen not in LISTS:
        raise BadRequest("no such list")
    asked_month, cursor = _month(request), cursor_of(request)
    month = asked_month or f"{now():%Y-%m}"
    page = find_people(text, cursor=cursor) if is_search else _list(chosen, month, cursor)
    if chosen == NEW and not asked_month and not page.items:
        # Nobody has come yet this month, as on the first of it: begin with those of the last one.
        month = _month_before(month)
        page = list_new_people(month)
    asked = {"q": text} if is_search else {"list": chosen}
    if chosen == NEW:
        asked["month"] = month
    context = {
        **search_forms(request, search=search),
        "chosen": chosen,
        "is_search": is_search,
        "rows": page.items,
        "may_begin_wave": Permission.CASES in permissions_of(request.user),
        "nobody": NOBODY.get(chosen, _("Nobody is called that.")),
        **_months(month),
        **neighbours(request, page, **asked),
    }
    status = 422 if search.errors else 200
    fragment = "moderation/people/_people_rows.html"
    return page_or_fragment(
        request, "moderation/people/people.html", fragment, context, status=status
    )


def _list(name: str, month: str, cursor: str | None) -> Page[PersonRow]:
    match name:
        case "reported":
            return list_reported(cursor=cursor)
        case "restricted":
            return list_restricted(cursor=cursor)
        case "staff":
            return list_staff_people()
    return list_new_people(month, cursor=cursor)


def search_forms(
    request: SiteRequest,
    *,
    search: SearchForm | None = None,
    by_email: EmailSearchForm | None = None,
    by_domain: DomainSearchForm | None = None,
    by_network: NetworkSearchForm | None = None,
) -> dict[str, object]:
    """Returns the forms above the lists, those that were not sent as empty ones, and the names of the lists."""
    may_see_origins = Permission.ORIGINS in permissions_of(request.user)
    return {
        "search": search or SearchForm(),
        "by_email": by_email or EmailSearchForm(),
        "by_domain": by_domain or DomainSearchForm(),
        "by_network": (by_network or NetworkSearchForm()) if may_see_origins else None,
        "lists": LISTS.items(),
    }


def _month(request: SiteRequest) -> str:
    month = request.GET.get("month", "")
    if month and not MONTH.fullmatch(month):
        raise BadRequest("no such month")
    return month


def _month_before(month: str) -> str:
    return f"{date.fromisoformat(f'{month}-01') - timedelta(days=1):%Y-%m}"


def _months(month: str) -> dict[str, str]:
    """Returns the month of the new people in words, with its neighbours."""
    first = date.fromisoformat(f"{month}-01")
    later = (first + timedelta(days=31)).replace(day=1)
    return {
        "month_text": date_format(first, "YEAR_MONTH_FORMAT"),
        "month_before": _month_before(month),
        "month_after": f"{later:%Y-%m}" if later <= now().date() else "",
    }


PAGE = "moderation/people/people.html"


@require_POST
@never_cache
@permission_required(Permission.PEOPLE, changes=never)
def find_by_email(request: SiteRequest) -> HttpResponse:
    """Leads to the person who confirmed an email address."""
    form = EmailSearchForm(request.POST)
    if form.is_valid():
        user_id = look_up_email(by=request.user, address=form.cleaned_data["email"])
        if user_id:
            return redirect(people_url(user_id))
        form.add_error("email", _("No account has confirmed this address."))
    return render(request, PAGE, search_forms(request, by_email=form), status=422)


@require_POST
@never_cache
@permission_required(Permission.PEOPLE, changes=never)
def find_by_domain(request: SiteRequest) -> HttpResponse:
    """Shows the people whose confirmed email address is of a domain."""
    form = DomainSearchForm(request.POST)
    forms = search_forms(request, by_domain=form)
    if not form.is_valid():
        return render(request, PAGE, forms, status=422)
    accounts = look_up_domain(by=request.user, domain=form.cleaned_data["domain"])
    nobody = _("No account has confirmed an address of this domain.")
    return render(request, PAGE, {**forms, **accounts_context(request, accounts, nobody)})


@require_POST
@never_cache
@permission_required(Permission.PEOPLE, changes=never)
@permission_required(Permission.ORIGINS, changes=never)
def find_by_network(request: SiteRequest) -> HttpResponse:
    """Shows the people who signed in from a network."""
    form = NetworkSearchForm(request.POST)
    forms = search_forms(request, by_network=form)
    if not form.is_valid():
        return render(request, PAGE, forms, status=422)
    accounts = look_up_network(by=request.user, network=form.cleaned_data["network"])
    nobody = _("Nobody has signed in from this network in the last 90 days.")
    return render(request, PAGE, {**forms, **accounts_context(request, accounts, nobody)})


def accounts_context(request: SiteRequest, accounts: Accounts, nobody: str) -> dict[str, object]:
    """Returns what the rows of found accounts need, with a sentence about those that are not shown."""
    notes = []
    if accounts.is_cut:
        shown = len(accounts.rows)
        notes.append(
            ngettext("Only %(n)d account is shown.", "Only %(n)d accounts are shown.", shown)
            % {"n": shown}
        )
    if accounts.crowded:
        notes.append(
            ngettext(
                "%(n)d network or browser is left out because very many accounts use it.",
                "%(n)d networks or browsers are left out because very many accounts use them.",
                accounts.crowded,
            )
            % {"n": accounts.crowded}
        )
    return {
        "is_search": True,
        "rows": accounts.rows,
        "notes": notes,
        "nobody": nobody,
        "may_begin_wave": Permission.CASES in permissions_of(request.user),
    }


PersonView = Callable[[SiteRequest, str], HttpResponse]


def not_oneself(view: PersonView) -> PersonView:
    """Refuses the page of the viewer, so that nobody reads what colleagues note about them."""

    @wraps(view)
    def guarded(request: SiteRequest, user_id: str) -> HttpResponse:
        if user_id == request.user.user_id:
            return render(request, "moderation/people/own.html", status=403)
        return view(request, user_id)

    return guarded


@require_safe
@never_cache
@permission_required(Permission.PEOPLE)
@not_oneself
def person(request: SiteRequest, user_id: str) -> HttpResponse:
    """Shows what staff know of a person."""
    return _page(request, get_person_file(user_id))


@require_POST
@never_cache
@permission_required(Permission.PEOPLE)
@not_oneself
def note(request: SiteRequest, user_id: str) -> HttpResponse:
    """Leaves a note for other moderators. A form that is sent twice leaves one note."""
    form, file = NoteForm(request.POST), get_person_file(user_id)
    if form.is_valid():
        text = form.cleaned_data["text"]
        last = file.notes[0] if file.notes else None
        is_own = last and last.moderator and last.moderator.user_id == request.user.user_id
        if not (last and is_own and last.text == text):
            note_person(by=request.user, user_id=user_id, text=text)
        if not request.htmx:
            return redirect(people_url(user_id))
        form, file = NoteForm(), get_person_file(user_id)
    status = 422 if form.is_bound else 200
    if not request.htmx:
        return _page(request, file, note_form=form, status=status)
    context = {"file": file, "note_form": form, "is_above": True}
    return render(request, "moderation/people/_person_notes.html", context, status=status)


@require_POST
@never_cache
@permission_required(Permission.PEOPLE)
@not_oneself
def begin_case(request: SiteRequest, user_id: str) -> HttpResponse:
    """Opens a case about the person, and leads there if the viewer may open it."""
    form = OpenCaseForm(request.POST)
    if not form.is_valid():
        return _page(request, get_person_file(user_id), case_form=form, status=422)
    case_id = open_case(
        by=request.user,
        person_id=user_id,
        rule_id=form.rule_id,
        comment=form.cleaned_data["comment"],
    )
    count_soon()
    may_open = case_id.kind in kinds_open_to(permissions_of(request.user))
    messages.success(request, _("The case is open."))
    return redirect(case_id.url if may_open else people_url(user_id))


@require_POST
@never_cache
@permission_required(Permission.PEOPLE)
@not_oneself
def choose_level(request: SiteRequest, user_id: str) -> HttpResponse:
    """Gives someone a level, or leaves it to the rules."""
    form = LevelChoice(request.POST, person=get_person_file(user_id).person)
    if form.is_valid():
        chosen = form.cleaned_data["level"]
        wanted = None if chosen == BY_RULES else Level(chosen)
        give_level(by=request.user, user_id=user_id, level=wanted)
        messages.success(request, _("Level saved."))
    else:
        messages.error(request, _("Choose a level."))
    return redirect(people_url(user_id))


@require_POST
@never_cache
@permission_required(Permission.PEOPLE, changes=never)
@permission_required(Permission.ORIGINS, changes=never)
@not_oneself
def other_accounts(request: SiteRequest, user_id: str) -> HttpResponse:
    """Shows which accounts share a network or a browser with the person, once the audit log says that someone
    looked."""
    file = get_person_file(user_id)
    accounts = view_accounts(by=request.user, person_id=user_id)
    nobody = _("No other account shares a network or a browser with this one.")
    found = accounts_context(request, accounts, nobody)
    if request.htmx:
        context = {"file": file, **found}
        return render(request, "moderation/people/_person_accounts.html", context)
    return _page(request, file, found=found)


def _is_above(request: SiteRequest, file: PersonFile) -> bool:
    return not file.person.role or outranks(request.user, file.person.role)


def _page(
    request: SiteRequest,
    file: PersonFile,
    *,
    note_form: NoteForm | None = None,
    case_form: OpenCaseForm | None = None,
    found: dict[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    permissions = permissions_of(request.user)
    context = {
        "file": file,
        "person": file.person,
        "note_form": note_form or NoteForm(),
        "case_form": case_form or OpenCaseForm(),
        "level_form": LevelChoice(person=file.person),
        "is_above": _is_above(request, file),
        "may_see_reports": Permission.CASES in permissions,
        "may_secure": Permission.CASES in permissions and _is_above(request, file),
        "kinds": kinds_open_to(permissions),
        "may_read_log": Permission.LOG in permissions,
        "may_see_origins": Permission.ORIGINS in permissions,
        **(found or {}),
    }
    return render(request, "moderation/people/person.html", context, status=status)
