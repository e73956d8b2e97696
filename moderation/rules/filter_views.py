"""Word filters, each tried on the newest posts before it is saved, and edited in place; blocked email domains and
networks; and invitations for a number of people and days."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language_info, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.rules import filter_writes
from moderation.rules.forms import (
    EFFECTS,
    OPTIONS,
    DomainsForm,
    InviteForm,
    NetworksForm,
    WordForm,
    values_of,
)
from moderation.rules.reads import list_invites, try_word_rule
from moderation.rules.views import remove_and_say
from moderation.staff.overview import Week, bar_plot, get_word_hits
from moderation.staff.views import say_why_not
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Word
from socialsite.table import NotFound
from socialsite.web.fragments import form_page

WORDS_PAGE = "/moderation/words"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def words(request: SiteRequest) -> HttpResponse:
    """Shows all word filters, and a form that leads to a trial. A POST here saves the filter."""
    site = read_site_rules()
    form = WordForm(request.POST if request.method == "POST" else None, site=site)
    if form.is_valid() and _is_saved(request, form):
        messages.success(request, _("Filter saved. It applies to new posts."))
        return redirect(WORDS_PAGE)
    return _list(request, site, form)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def word(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Shows a word filter with its hits, and a form that leads to a trial. A POST here saves the filter."""
    site = read_site_rules()
    found = _found(site, rule_id)
    typed = request.POST if request.method == "POST" else None
    form = WordForm(typed, initial=values_of(found), site=site)
    if form.is_valid() and _is_saved(request, form, rule_id):
        messages.success(request, _("Filter saved. It applies to new posts."))
        return redirect(WORDS_PAGE)
    return _edit(request, found, form)


@require_POST
@permission_required(Permission.SITE, changes=never)
def try_out(request: SiteRequest) -> HttpResponse:
    """Shows which of the newest public posts the filter would have caught. Saves nothing."""
    site = read_site_rules()
    form = WordForm(request.POST, site=site)
    return _trial(request, form, WORDS_PAGE) if form.is_valid() else _list(request, site, form)


@require_POST
@permission_required(Permission.SITE, changes=never)
def try_edited(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Shows what the filter would have caught, edited like this. Saves nothing."""
    site = read_site_rules()
    found = _found(site, rule_id)
    form = WordForm(request.POST, site=site)
    return (
        _trial(request, form, _page_of(found)) if form.is_valid() else _edit(request, found, form)
    )


@require_POST
@permission_required(Permission.SITE)
def remove_word(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes a word filter. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: filter_writes.remove_word_rule(by=request.user, rule_id=rule_id),
        _("Filter removed."),
        to=WORDS_PAGE,
    )


def _found(site: SiteRules, rule_id: str) -> Word:
    found = site.word_of(rule_id)
    if found is None:
        raise NotFound("no such word filter")
    return found


def _page_of(word: Word) -> str:
    return f"{WORDS_PAGE}/{word.rule_id}"


def _list(request: SiteRequest, site: SiteRules, form: WordForm) -> HttpResponse:
    effects = {str(effect): label for effect, label in EFFECTS}
    options = {str(option): label for option, label in OPTIONS}
    rows = [
        {
            "word": word,
            "url": _page_of(word),
            "effect": effects.get(word.effect, ""),
            "options": [label for option, label in options.items() if option in word.options],
            "rule": site.rule_of(word.site_rule),
        }
        for word in sorted(site.words, key=lambda word: word.created, reverse=True)
    ]
    context = {"rows": rows, "form": form, "most": filter_writes.MOST_WORDS}
    return form_page(request, "moderation/rules/words.html", context)


def _edit(request: SiteRequest, found: Word, form: WordForm) -> HttpResponse:
    weeks = get_word_hits(found.rule_id)
    total = sum(week.times for week in weeks)
    context = {
        "word": found,
        "form": form,
        "page": _page_of(found),
        "weeks": weeks,
        "total": total,
        "plot": bar_plot([week.times for week in weeks], title=_title(weeks)),
    }
    return form_page(request, "moderation/rules/word.html", context)


def _title(weeks: list[Week]) -> str:
    most = max(week.times for week in weeks)
    return ngettext(
        "Posts caught in the last 12 weeks: at most %(n)d a week",
        "Posts caught in the last 12 weeks: at most %(n)d a week",
        most,
    ) % {"n": most}


def _trial(request: SiteRequest, form: WordForm, page: str) -> HttpResponse:
    trial = try_word_rule(form.word, viewer=request.user)
    harmless = [
        (code, get_language_info(code)["name_translated"], words)
        for code, words in trial.harmless.items()
    ]
    context = {
        "form": form,
        "trial": trial,
        "may_begin_wave": Permission.CASES in permissions_of(request.user),
        "harmless": harmless,
        "word": form.word,
        "page": page,
    }
    return render(request, "moderation/rules/word_trial.html", context)


def _is_saved(request: SiteRequest, form: WordForm, rule_id: str = "") -> bool:
    there_already = _("There is already a filter for this. Edit that one instead.")
    with say_why_not(form, "pattern", there_already):
        if rule_id:
            filter_writes.save_word_rule(by=request.user, rule_id=rule_id, word=form.word)
        else:
            filter_writes.add_word_rule(by=request.user, word=form.word)
    return form.is_valid()


BLOCKS_PAGE = "/moderation/blocks"


@require_safe
@permission_required(Permission.SITE)
def blocks(request: SiteRequest) -> HttpResponse:
    """Shows both lists, each with a form."""
    return _block_lists(request, DomainsForm(), NetworksForm())


@require_POST
@permission_required(Permission.SITE)
def block_domains(request: SiteRequest) -> HttpResponse:
    """Blocks the email domain on each line."""
    form = DomainsForm(request.POST)
    if form.is_valid():
        with say_why_not(form, "domains"):
            filter_writes.block_email_domains(by=request.user, domains=form.cleaned_data["domains"])
    if not form.is_valid():
        return _block_lists(request, form, NetworksForm())
    messages.success(request, _("Domains blocked for new accounts."))
    return redirect(BLOCKS_PAGE)


@require_POST
@permission_required(Permission.SITE)
def unblock_domain(request: SiteRequest) -> HttpResponse:
    """Unblocks a domain. Does nothing if it is not blocked."""
    return remove_and_say(
        request,
        lambda: filter_writes.unblock_email_domain(
            by=request.user, domain=request.POST.get("domain", "")[:253]
        ),
        _("Domain unblocked."),
        to=BLOCKS_PAGE,
    )


@require_POST
@permission_required(Permission.SITE)
def block_networks(request: SiteRequest) -> HttpResponse:
    """Blocks the network on each line, or makes people from it wait for approval."""
    form = NetworksForm(request.POST)
    if form.is_valid():
        with say_why_not(form, "networks"):
            filter_writes.block_networks(by=request.user, **form.cleaned_data)
    if not form.is_valid():
        return _block_lists(request, DomainsForm(), form)
    messages.success(request, _("Networks added."))
    return redirect(BLOCKS_PAGE)


@require_POST
@permission_required(Permission.SITE)
def unblock_network(request: SiteRequest) -> HttpResponse:
    """Removes a network from the list. Does nothing if it is not there."""
    return remove_and_say(
        request,
        lambda: filter_writes.unblock_network(
            by=request.user, network=request.POST.get("network", "")[:60]
        ),
        _("Network removed."),
        to=BLOCKS_PAGE,
    )


def _block_lists(request: SiteRequest, domains: forms.Form, networks: forms.Form) -> HttpResponse:
    context = {"site": read_site_rules(), "domains": domains, "networks": networks}
    status = 422 if domains.is_bound or networks.is_bound else 200
    return render(request, "moderation/rules/blocks.html", context, status=status)


INVITES_PAGE = "/moderation/invites"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SIGN_UPS)
def invites(request: SiteRequest) -> HttpResponse:
    """Shows all invitations with their remaining uses, and a form for a new one."""
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with say_why_not(form, "uses"):
            filter_writes.make_invite(by=request.user, **form.cleaned_data)
    if form.is_valid():
        messages.success(request, _("Invitation created. Send its link."))
        return redirect(INVITES_PAGE)
    context = {
        "invites": list_invites(),
        "form": form,
        "address": request.build_absolute_uri("/")[:-1],
    }
    return form_page(request, "moderation/rules/invites.html", context)


@require_POST
@permission_required(Permission.SIGN_UPS)
def end_invite(request: SiteRequest, code: str) -> HttpResponse:
    """Ends an invitation. Does nothing if it has already ended."""
    return remove_and_say(
        request,
        lambda: filter_writes.end_invite(by=request.user, code=code),
        _("Invitation ended."),
        to=INVITES_PAGE,
    )
