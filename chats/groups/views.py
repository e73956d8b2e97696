"""The pages of groups: a new one, and the people of one with what its founder can do. What is said in a group stands on
the same page as any conversation (`../views.py`)."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import SiteRequest, sign_in_required
from chats.groups import writes
from chats.groups.forms import FoundForm, InviteForm, NameForm
from chats.groups.reads import GroupPage, find_by_handles, get_group, list_people_to_invite
from chats.writes import CannotWrite, refuse_chat
from socialsite.table import ids, keys
from socialsite.web.fragments import form_page
from socialsite.web.limits import LimitReached


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def new(request: SiteRequest) -> HttpResponse:
    """Founds a group, and invites others into it."""
    if request.method == "POST":
        form = FoundForm(request.POST, chosen=request.POST.getlist("chosen"))
        if form.is_valid() and _found(request, form):
            return redirect(f"/messages/groups/{form.cleaned_data['nonce']}")
    else:
        form = FoundForm(chosen=request.GET.getlist("with"))
    context = {"form": form, "offered": list_people_to_invite(request.user)}
    return form_page(request, "chats/groups/new.html", context)


def _found(request: SiteRequest, form: FoundForm) -> bool:
    values = form.cleaned_data

    def found(user_ids: list[str]) -> None:
        writes.found_group(
            by=request.user, chat_id=values["nonce"], title=values["title"], invited=user_ids
        )

    return _invited(form, found)


def _invited(form: InviteForm, write: Callable[[list[str]], None]) -> bool:
    """Whether those whom the form names were invited; else it says why not. Of people who cannot be invited and handles
    of nobody it says the same, so that no block shows."""
    people = find_by_handles(form.people)
    unknown = [handle for handle in form.people if handle not in people]
    try:
        if not unknown:
            write(list(people.values()))
            return True
        refused = unknown
    except writes.CannotInvite as error:
        refused = [handle for handle, one in people.items() if one in error.user_ids]
    except writes.GroupFull:
        form.add_error("handles", _("A group has at most ten people, open invitations included."))
        return False
    except CannotWrite as refusal:
        form.add_error(None, refusal.sentence)
        return False
    except LimitReached:
        form.add_error(
            None, _("You have invited as many people as you can in a day. Try again tomorrow.")
        )
        return False
    text = ngettext(
        "%(names)s can’t be invited. Choose someone else.",
        "These people can’t be invited: %(names)s. Choose others.",
        len(refused),
    )
    form.add_error("handles", text % {"names": ", ".join(f"@{one}" for one in refused)})
    return False


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: SiteRequest, group: str) -> HttpResponseBase:
    """Shows the people of a group. Its founder also invites further ones (POST)."""
    request.people.read_beside(lambda me: keys.chat(group))  # before anything asks who that is
    return _people(request, group)


@sign_in_required
def _people(request: SiteRequest, group: str) -> HttpResponse:
    found = get_group(request.user, group)
    form = InviteForm(
        request.POST if request.method == "POST" else None, chosen=request.POST.getlist("chosen")
    )
    if form.is_bound and form.is_valid():

        def invite(user_ids: list[str]) -> None:
            writes.invite(by=request.user, chat_id=group, user_ids=user_ids)

        if not form.people:
            form.add_error("handles", _("Choose at least one person."))
        elif _invited(form, invite):
            messages.success(request, _("Invited. They see the messages from when they accept."))
            return redirect(request.path)
    return _page(request, found, form, NameForm(initial={"title": found.group.title}))


def _page(
    request: SiteRequest, found: GroupPage, form: InviteForm, name_form: NameForm
) -> HttpResponse:
    context = {"found": found, "form": form, "name_form": name_form}
    status = 422 if form.is_bound or name_form.is_bound else 200
    return render(request, "chats/groups/people.html", context, status=status)


@require_POST
@sign_in_required
def name(request: SiteRequest, group: str) -> HttpResponse:
    """Gives a group another name."""
    form = NameForm(request.POST)
    if not form.is_valid():
        return _page(request, get_group(request.user, group), InviteForm(), form)
    writes.name_group(by=request.user, chat_id=group, title=form.cleaned_data["title"])
    return redirect(f"/messages/groups/{group}/people")


@require_POST
@sign_in_required
def remove(request: SiteRequest, group: str) -> HttpResponse:
    """Removes someone from a group, or takes an invitation back."""
    user_id = request.POST.get("person", "")
    if not ids.is_id(user_id):
        raise BadRequest("person is one of the group")
    writes.remove_member(by=request.user, chat_id=group, user_id=user_id)
    messages.success(request, _("Removed."))
    return redirect(f"/messages/groups/{group}/people")


@require_POST
@sign_in_required
def leave(request: SiteRequest, group: str) -> HttpResponse:
    """Leaves a group. Nobody is told."""
    writes.leave_group(by=request.user, chat_id=group)
    messages.success(request, _("You left the group. Nobody is told."))
    return redirect("/messages")


@require_POST
@sign_in_required
def answer(request: SiteRequest, group: str) -> HttpResponse:
    """Accepts an invitation (`answer=accept`), refuses it (`refuse`), or refuses it and blocks its sender (`block`)."""
    by = request.user
    match request.POST.get("answer"):
        case "accept":
            writes.accept_invitation(by=by, chat_id=group)
            return redirect(f"/messages/groups/{group}")
        case "refuse":
            refuse_chat(by=by, chat_id=group)
            messages.success(request, _("Invitation refused. They aren’t told."))
        case "block":
            writes.refuse_and_block(by=by, chat_id=group)
            messages.success(request, _("Refused and blocked. They aren’t told."))
        case _:
            raise BadRequest("answer is accept, refuse or block")
    return redirect("/messages/requests")
