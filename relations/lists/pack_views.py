"""The pages of starter packs: offering a list as one, what others see of it, following its people with one press, and
leaving it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from relations.lists import writes
from relations.lists.forms import PackForm
from relations.lists.packs import Followed, follow_pack
from relations.lists.reads import get_own_list, get_pack, list_packs_with, list_people_of_pack
from socialsite.web.fragments import (
    cursor_of,
    form_page,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.rich_text import preview_of_list


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def offer(request: SiteRequest, list_id: str) -> HttpResponse:
    """Offers a list as a starter pack with a title and a description, or withdraws it (`on=0`)."""
    own = get_own_list(request.user, list_id)
    if request.POST.get("on") == "0":
        writes.withdraw_pack(by=request.user, list_id=list_id)
        messages.success(request, _("It’s a private list again."))
        return redirect(own.url)
    typed = request.POST if request.method == "POST" else None
    form = PackForm(typed, initial={"title": own.title or own.name, "about": own.about})
    if form.is_valid() and not own.is_withdrawn:
        writes.offer_pack(by=request.user, list_id=list_id, **form.cleaned_data)
        messages.success(request, _("Starter pack saved. Share its address."))
        return redirect(f"/@{request.user.handle}/packs/{list_id}")
    return form_page(request, "relations/lists/offer.html", {"own": own, "form": form})


@require_safe
def pack(request: SiteRequest, handle: str, list_id: str) -> HttpResponse:
    """Shows a starter pack and who is in it, to members and visitors."""
    found = get_pack(request.people.person_id, list_id, viewer=request.user)
    page = list_people_of_pack(found, viewer=request.user, cursor=cursor_of(request))
    context = {
        "pack": found,
        "people": page.items,
        "link_preview": preview_of_list(request, found.url, is_indexed=found.owner.is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(
        request, "relations/lists/pack.html", "relations/_person_page.html", context
    )


@require_POST
@sign_in_required
def follow_all(request: SiteRequest, handle: str, list_id: str) -> HttpResponse:
    """Follows the people of a starter pack, or asks those with locked accounts, and says how many."""
    found = get_pack(request.people.person_id, list_id, viewer=request.user)
    done = follow_pack(by=request.user, pack=found)
    messages.success(request, said_of(done))
    return redirect(found.url)


def said_of(done: Followed) -> str:
    """Returns in sentences what a press did."""
    said = []
    if done.followed:
        said.append(
            ngettext(
                "You now follow %(n)d more person.",
                "You now follow %(n)d more people.",
                done.followed,
            )
            % {"n": done.followed}
        )
    if done.asked:
        said.append(
            ngettext(
                "%(n)d person approves followers, and got a request.",
                "%(n)d people approve followers, and got a request.",
                done.asked,
            )
            % {"n": done.asked}
        )
    if done.is_full:
        said.append(_("You can follow up to 7,500 people. Unfollow someone first."))
    elif done.asks_later:
        said.append(_("You’ve sent many requests. Press again later for the rest."))
    elif done.left:
        said.append(
            ngettext(
                "%(n)d is left. Press again to go on.",
                "%(n)d are left. Press again to go on.",
                done.left,
            )
            % {"n": done.left}
        )
    return " ".join(said) or _("There’s nobody new to follow here.")


@require_POST
@sign_in_required
def leave(request: SiteRequest, handle: str, list_id: str) -> HttpResponse:
    """Takes the viewer themselves out of a starter pack (`on=1`), or puts them back (`on=0`)."""
    goes = wanted_state(request)
    found = get_pack(request.people.person_id, list_id, viewer=request.user)
    owner_id = found.owner.user_id
    if goes:
        writes.leave_pack(by=request.user, owner_id=owner_id, list_id=list_id)
        messages.success(request, _("You’re no longer in this starter pack."))
    else:
        writes.return_to_pack(by=request.user, owner_id=owner_id, list_id=list_id)
        messages.success(request, _("You’re in this starter pack again."))
    return redirect(found.url)


@require_safe
@sign_in_required
def packs_with(request: SiteRequest) -> HttpResponse:
    """Shows the starter packs in which the viewer is."""
    page = list_packs_with(request.user, cursor=cursor_of(request))
    context = {"packs": page.items, "tab": "lists", **neighbours(request, page)}
    return page_or_fragment(
        request, "relations/lists/packs_with.html", "relations/lists/_packs_page.html", context
    )
