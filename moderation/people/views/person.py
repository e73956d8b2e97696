"""The staff page of one person: what is known of them, notes about them, opening a case, and their other accounts."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import Permission, outranks, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.case_permissions import kinds_open_to
from moderation.cases.forms.case_texts import NoteForm
from moderation.people.access_patterns import people_url
from moderation.people.forms import OpenCaseForm
from moderation.people.person_file import PersonFile, get_person_file
from moderation.people.services.add_note import note_person
from moderation.people.services.look_up_origins import view_accounts
from moderation.people.services.open_case import open_case
from moderation.people.views.find import accounts_context
from moderation.staff.nav import count_soon

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
        "is_above": not file.person.role or outranks(request.user, file.person.role),
        "kinds": kinds_open_to(permissions),
        "may_read_log": Permission.LOG in permissions,
        "may_see_origins": Permission.ORIGINS in permissions,
        **(found or {}),
    }
    return render(request, "moderation/people/person.html", context, status=status)
