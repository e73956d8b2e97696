"""Blocked email domains and networks."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.rules.forms.site_blocks import DomainsForm, NetworksForm
from moderation.rules.services import site_blocks as service
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from socialsite.site.site_rules import read_site_rules

PAGE = "/moderation/blocks"


@require_safe
@permission_required(Permission.SITE)
def blocks(request: SiteRequest) -> HttpResponse:
    """Shows both lists, each with a form."""
    return _lists(request, DomainsForm(), NetworksForm())


@require_POST
@permission_required(Permission.SITE)
def block_domains(request: SiteRequest) -> HttpResponse:
    """Blocks the email domain on each line."""
    form = DomainsForm(request.POST)
    if form.is_valid():
        with say_why_not(form, "domains"):
            service.block_email_domains(by=request.user, domains=form.cleaned_data["domains"])
    if not form.is_valid():
        return _lists(request, form, NetworksForm())
    messages.success(request, _("Domains blocked for new accounts."))
    return redirect(PAGE)


@require_POST
@permission_required(Permission.SITE)
def unblock_domain(request: SiteRequest) -> HttpResponse:
    """Unblocks a domain. Does nothing if it is not blocked."""
    return remove_and_say(
        request,
        lambda: service.unblock_email_domain(
            by=request.user, domain=request.POST.get("domain", "")[:253]
        ),
        _("Domain unblocked."),
        to=PAGE,
    )


@require_POST
@permission_required(Permission.SITE)
def block_networks(request: SiteRequest) -> HttpResponse:
    """Blocks the network on each line, or makes people from it wait for approval."""
    form = NetworksForm(request.POST)
    if form.is_valid():
        with say_why_not(form, "networks"):
            service.block_networks(by=request.user, **form.cleaned_data)
    if not form.is_valid():
        return _lists(request, DomainsForm(), form)
    messages.success(request, _("Networks added."))
    return redirect(PAGE)


@require_POST
@permission_required(Permission.SITE)
def unblock_network(request: SiteRequest) -> HttpResponse:
    """Removes a network from the list. Does nothing if it is not there."""
    return remove_and_say(
        request,
        lambda: service.unblock_network(
            by=request.user, network=request.POST.get("network", "")[:60]
        ),
        _("Network removed."),
        to=PAGE,
    )


def _lists(request: SiteRequest, domains: forms.Form, networks: forms.Form) -> HttpResponse:
    context = {"site": read_site_rules(), "domains": domains, "networks": networks}
    status = 422 if domains.is_bound or networks.is_bound else 200
    return render(request, "moderation/rules/blocks.html", context, status=status)
