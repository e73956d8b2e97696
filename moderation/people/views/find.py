"""Finding people by what the table knows as a keyed hash alone: an email address, its domain, a network. It is asked by
POST, so that none of these stands in the address of a page or in a log."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.people.access_patterns import people_url
from moderation.people.forms import DomainSearchForm, EmailSearchForm, NetworkSearchForm
from moderation.people.origins import Accounts
from moderation.people.services.find_by_email import look_up_email
from moderation.people.services.look_up_origins import look_up_domain, look_up_network
from moderation.people.views.people import search_forms

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
