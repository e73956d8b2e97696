"""Word filters: what happens to posts with certain words or links. Each is tried on the newest posts before it is
saved, and edited in place."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language_info, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.rules.forms.word_filters import EFFECTS, OPTIONS, WordForm, values_of
from moderation.rules.services import word_filters as service
from moderation.rules.views.refusals import say_why_not
from moderation.rules.views.removal import remove_and_say
from moderation.rules.word_filter_trial import try_word_rule
from moderation.rules.word_hits import Week, get_word_hits
from moderation.staff.plots import bar_plot
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_setup import SiteRules
from socialsite.site.word_filters import Word
from socialsite.table.errors import NotFound
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
        return redirect(PAGE)
    return _edit(request, found, form)


@require_POST
@permission_required(Permission.SITE, changes=never)
def try_out(request: SiteRequest) -> HttpResponse:
    """Shows which of the newest public posts the filter would have caught. Saves nothing."""
    site = read_site_rules()
    form = WordForm(request.POST, site=site)
    return _trial(request, form, PAGE) if form.is_valid() else _list(request, site, form)


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
def remove(request: SiteRequest, rule_id: str) -> HttpResponse:
    """Removes a word filter. Does nothing if it is already gone."""
    return remove_and_say(
        request,
        lambda: service.remove_word_rule(by=request.user, rule_id=rule_id),
        _("Filter removed."),
        to=PAGE,
    )


def _found(site: SiteRules, rule_id: str) -> Word:
    found = site.word_of(rule_id)
    if found is None:
        raise NotFound("no such word filter")
    return found


def _page_of(word: Word) -> str:
    return f"{PAGE}/{word.rule_id}"


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
    context = {"rows": rows, "form": form, "most": service.MOST_WORDS}
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
            service.save_word_rule(by=request.user, rule_id=rule_id, word=form.word)
        else:
            service.add_word_rule(by=request.user, word=form.word)
    return form.is_valid()
