"""The staff, their roles and the permissions of the site's own roles, the languages that a moderator reads, and the
overview of moderation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import (
    BUILT_IN,
    BeyondOwn,
    NoSuchRole,
    OwnRole,
    Permission,
    RoleCard,
    RoleChanged,
    RoleInUse,
    is_junior,
    list_roles,
    list_staff,
    permissions_of,
)
from accounts.requests import SiteRequest
from moderation.cases.queue_place import TITLES, QueuePlace, QueueTab, tabs_open_to
from moderation.cases.reads import languages_read_by
from moderation.cases.words import DONE
from moderation.staff import writes
from moderation.staff.forms import PERMISSIONS, GiveRoleForm, LanguagesForm, RoleForm
from moderation.staff.overview import LONGER, MOST_CLOSED, OLDER, Overview, bar_plot, get_overview
from moderation.staff.writes import ThereAlready, TooMany, choose_languages
from socialsite.table import NotFound
from socialsite.web.fragments import form_page


@contextmanager
def say_why_not(form: forms.Form, field: str, there_already: str = "") -> Iterator[None]:
    """Adds the error of a refused write to the form, inside a `with` block."""
    try:
        yield
    except ThereAlready:
        form.add_error(field, there_already)
    except TooMany as error:
        text = _("You can have up to %(limit)d. Remove one first.")
        form.add_error(field, text % {"limit": error.limit})


PAGE = "/moderation/roles"


@require_safe
@permission_required(Permission.ROLES)
def roles(request: SiteRequest) -> HttpResponse:
    """Shows the staff by name, and every role with its permissions."""
    known = list_roles()
    return _page(request, known, GiveRoleForm(roles=known))


@require_POST
@permission_required(Permission.ROLES)
def give_role(request: SiteRequest) -> HttpResponse:
    """Gives someone a role, in place of any they have."""
    known = list_roles()
    form = GiveRoleForm(request.POST, roles=known)
    if form.is_valid():
        user_id, role = form.cleaned_data["person"], form.cleaned_data["role"]
        with _refusals(lambda text: form.add_error("person", text)):
            writes.give_role(by=request.user, user_id=user_id, role=role)
    if not form.is_valid():
        return _page(request, known, form, status=422)
    messages.success(request, _("Role given."))
    return redirect(PAGE)


@require_POST
@permission_required(Permission.ROLES)
def take_role(request: SiteRequest) -> HttpResponse:
    """Removes someone's role. Does nothing if they have none."""
    refused: list[str] = []
    with _refusals(refused.append):
        writes.give_role(by=request.user, user_id=request.POST.get("person", ""), role="")
    if refused:
        messages.error(request, refused[0])
    else:
        messages.success(request, _("Role removed."))
    return redirect(PAGE)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.ROLES)
def add_role(request: SiteRequest) -> HttpResponse:
    """Creates a role."""
    form = _role_form(request)
    if form.is_valid():
        with (
            _refusals(lambda text: form.add_error("permissions", text)),
            say_why_not(
                form, "title", _("There is already a role with this name. Choose another.")
            ),
        ):
            writes.make_role(by=request.user, **form.values)
    if form.is_valid():
        messages.success(request, _("Role created."))
        return redirect(PAGE)
    context = {"form": form}
    return form_page(request, "moderation/staff/role.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.ROLES)
def role(request: SiteRequest, name: str) -> HttpResponse:
    """Changes a role that the site created."""
    found = next((one for one in list_roles() if one.name == name and not one.is_built_in), None)
    if found is None:
        raise NotFound("no such role")
    form = _role_form(request, found)
    if form.is_valid():
        with _refusals(lambda text: form.add_error("permissions", text)):
            writes.change_role(by=request.user, name=name, **form.values)
    if form.is_valid():
        messages.success(request, _("Role saved."))
        return redirect(PAGE)
    context = {"form": form, "role": found}
    return form_page(request, "moderation/staff/role.html", context)


@require_POST
@permission_required(Permission.ROLES)
def remove_role(request: SiteRequest, name: str) -> HttpResponse:
    """Deletes a role that the site created and nobody has. Does nothing if it is gone. Built-in roles get a 404."""
    if name in BUILT_IN:
        raise NotFound("no such role")
    refused: list[str] = []
    with _refusals(refused.append):
        writes.remove_role(by=request.user, name=name)
    if refused:
        messages.error(request, refused[0])
    else:
        messages.success(request, _("Role deleted."))
    return redirect(PAGE)


@contextmanager
def _refusals(tell: Callable[[str], object]) -> Iterator[None]:
    """Returns the sentence that says why a service refused."""
    try:
        yield
    except OwnRole:
        tell(_("You cannot change your own role. Ask someone else on the staff."))
    except BeyondOwn:
        tell(_("This role has permissions you do not have. Choose another."))
    except NoSuchRole:
        tell(_("This role no longer exists. Choose another."))
    except RoleChanged:
        tell(_("Someone else has just changed their role. Check it and try again."))
    except RoleInUse:
        tell(_("Someone still has this role. Remove it from them first."))


def _role_form(request: SiteRequest, found: RoleCard | None = None) -> RoleForm:
    typed = request.POST if request.method == "POST" else None
    initial = {"title": found.title, "permissions": list(found.permissions)} if found else None
    return RoleForm(typed, initial=initial, own=permissions_of(request.user))


def _page(
    request: SiteRequest, known: list[RoleCard], form: forms.Form, *, status: int = 200
) -> HttpResponse:
    titles = {role.name: role.title for role in known}
    context = {
        "staff": [(person, titles.get(person.role, person.role)) for person in list_staff()],
        "roles": [
            (role, [text for one, text in PERMISSIONS.items() if one in role.permissions])
            for role in known
        ],
        "form": form,
    }
    return render(request, "moderation/staff/roles.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.CASES, Permission.SIGN_UPS, changes=never)
def languages(request: SiteRequest) -> HttpResponse:
    """Asks which languages the viewer reads, and leads to the queue in these."""
    typed = request.POST if request.method == "POST" else None
    own = languages_read_by(request.user.user_id) if typed is None else ()
    form = LanguagesForm(typed, initial={"languages": list(own)})
    if form.is_valid():
        choose_languages(by=request.user, languages=form.cleaned_data["languages"])
        messages.success(request, _("Languages saved."))
        return redirect("/moderation/queue?language=mine")
    return form_page(request, "moderation/staff/languages.html", {"form": form})


WITHIN = {
    "15m": gettext_lazy("15 minutes"),
    "1h": gettext_lazy("1 hour"),
    "2h": gettext_lazy("2 hours"),
    "4h": gettext_lazy("4 hours"),
    "8h": gettext_lazy("8 hours"),
    "1d": gettext_lazy("1 day"),
    "2d": gettext_lazy("2 days"),
    "4d": gettext_lazy("4 days"),
    "1w": gettext_lazy("1 week"),
    "2w": gettext_lazy("2 weeks"),
    "4w": gettext_lazy("4 weeks"),
    LONGER: gettext_lazy("more than 4 weeks"),
}
AGES_IN_WORDS = {
    "1h": gettext_lazy("Less than 1 hour"),
    "8h": gettext_lazy("1 to 8 hours"),
    "1d": gettext_lazy("8 hours to 1 day"),
    "3d": gettext_lazy("1 to 3 days"),
    OLDER: gettext_lazy("More than 3 days"),
}


@require_safe
@permission_required(Permission.OVERVIEW)
def overview(request: SiteRequest) -> HttpResponse:
    """Shows what waits now, and the last 30 days."""
    found = get_overview()
    open_tabs = tabs_open_to(permissions_of(request.user), junior=is_junior(request.user))
    tabs = [(QueueTab(queue.place), queue) for queue in found.queues]
    context = {
        "overview": found,
        "queues": [
            (QueuePlace(tab).url if tab in open_tabs else "", TITLES[tab], queue)
            for tab, queue in tabs
        ],
        "desks_url": QueuePlace(QueueTab.DESKS).url if QueueTab.DESKS in open_tabs else "",
        "answered": WITHIN.get(found.answered, ""),
        "closed": WITHIN.get(found.closed, ""),
        "plots": _plots(found),
        "ages": [(AGES_IN_WORDS[name], count) for name, count in found.ages],
        "most_closed": MOST_CLOSED,
        "actions": [(DONE.get(kind, kind), times) for kind, times in found.actions],
    }
    return render(request, "moderation/staff/overview.html", context)


def _plots(found: Overview) -> list[dict[str, object]]:
    """Returns the name, the total and the plot of daily numbers for each kind."""
    kinds = (
        (_("Sign-ups"), [day.sign_ups for day in found.days]),
        (_("Reports"), [day.reports for day in found.days]),
        (_("Actions"), [day.actions for day in found.days]),
    )
    return [
        {
            "name": name,
            "total": sum(numbers),
            "plot": bar_plot(numbers, title=_title(name, numbers)),
        }
        for name, numbers in kinds
    ]


def _title(name: str, numbers: list[int]) -> str:
    most = ngettext("at most %(n)d a day", "at most %(n)d a day", max(numbers)) % {
        "n": max(numbers)
    }
    return _("%(name)s in the last 30 days: %(most)s") % {"name": name, "most": most}
