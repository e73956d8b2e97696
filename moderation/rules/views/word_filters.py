"""Word filters: what happens to posts with certain words or links. Each is tried on the newest posts before it is
saved."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import never, permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.rules.forms.site_rules import EFFECTS, WordForm
from moderation.rules.services import site as service
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from moderation.rules.word_filter_trial import try_word_rule
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_setup import SiteRules
from socialsite.web.fragments import form_page

PAGE = "/moderation/words"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def words(request: SiteRequest) -> HttpResponse:
    """Shows all word filters, and a form that leads to a trial. A POST here saves the filter."""
    site = read_site_rules()
    form = WordForm(request.POST if request.method == "POST" else None, site=site)
    if form.is_valid() and _is_saved(request, form):
        messages.success(request, _("Filter saved. It applies to new posts."))
        return redirect(PAGE)
    return _list(request, site, form)


@require_POST
@permission_required(Permission.SITE, changes=never)
def try_out(request: SiteRequest) -> HttpResponse:
    """Shows which of the newest public posts the filter would have caught. Saves nothing."""
    site = read_site_rules()
    form = WordForm(request.POST, site=site)
    if not form.is_valid():
        return _list(request, site, form)
    trial = try_word_rule(form.word, viewer=request.user)
    context = {"form": form, "trial": trial, "word": form.word}
    return render(request, "moderation/rules/word_trial.html", context)


@require_POST
@permission_required(Permission.SITE)
def remove(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes a word filter. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: service.remove_word_rule(by=request.user, rule_id=rule_id),
        _("Filter removed."),
        to=PAGE,
    )


def _list(request: SiteRequest, site: SiteRules, form: WordForm) -> HttpResponse:
    effects = {str(effect): label for effect, label in EFFECTS}
    rows = [
        {"word": word, "effect": effects.get(word.effect, ""), "rule": site.rule_of(word.site_rule)}
        for word in sorted(site.words, key=lambda word: word.created, reverse=True)
    ]
    context = {"rows": rows, "form": form, "most": service.MOST_WORDS}
    return form_page(request, "moderation/rules/words.html", context)


def _is_saved(request: SiteRequest, form: WordForm) -> bool:
    with say_why_not(form, "pattern", _("There is already a filter for this. Remove it first.")):
        service.add_word_rule(by=request.user, word=form.word)
    return form.is_valid()
