"""The page of someone's muted words: all of them, and the form of one, new or to be changed. The same form stands in a
dialog from a post's menu (`feed/muted_words/views.py`)."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget

from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest, safe_target, sign_in_required
from relations.muted_words import writes
from relations.muted_words.forms import PLACES, MutedWordForm
from relations.muted_words.reads import read_mutes
from relations.muted_words.words import MOST_WORDS, MutedWord, needle_of
from socialsite.web.fragments import form_page
from socialsite.web.preferences import full_date

PAGE = "/settings/muted-words"


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def muted_words(request: SiteRequest) -> HttpResponse:
    """Shows the words with the form, and mutes what it says; then leads to `next`. With `change` the form changes a
    word, with `word` it begins with one. An invalid form is shown again, to htmx in the dialog that it came from."""
    words = list(read_mutes(request.user).in_force())
    if request.method != "POST":
        changed = _find(words, request.GET.get("change", ""))
        typed = {"word": request.GET["word"]} if request.GET.get("word") else None
        return _page(request, words, MutedWordForm(muted=changed, initial=typed))
    changed = _find(words, request.POST.get("was", ""))
    form = MutedWordForm(request.POST, muted=changed)
    if form.is_valid() and _mute(request.user, form):
        messages.success(request, _("Muted: %(word)s") % {"word": form.cleaned_data["word"]})
        to = _back_of(request)
        return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
    return _page(request, words, form)


@require_POST
@sign_in_required
def unmute(request: SiteRequest) -> HttpResponse:
    """Ends that a `word` is muted, and shows the others."""
    writes.unmute_word(by=request.user, word=request.POST.get("word", ""))
    messages.success(request, _("The word is no longer muted."))
    return redirect(PAGE)


def _mute(by: Viewer, form: MutedWordForm) -> bool:
    try:
        writes.mute_word(by=by, word=form.muted_word, was=form.cleaned_data["was"])
    except writes.TooManyWords:
        form.add_error("word", _("You mute 100 words. That is the limit."))
    except writes.TooLongTogether:
        form.add_error(
            "word",
            _("Your muted words are too long together. Choose a shorter one, or remove one."),
        )
    return form.is_valid()


def _page(request: SiteRequest, words: list[MutedWord], form: MutedWordForm) -> HttpResponse:
    rows = [
        {
            "word": one.word,
            "where": PLACES[one.where],
            "folds": one.folds,
            "until": full_date(datetime.fromtimestamp(one.until, UTC)) if one.until else "",
            "change_url": f"{PAGE}?{urlencode({'change': one.word})}",
        }
        for one in words
    ]
    context: dict[str, Any] = {
        "rows": rows,
        "is_full": len(words) >= MOST_WORDS,
        "form": form,
        "tab": "muted-words",
        "next": request.GET.get("next", ""),
        "back": _back_of(request),
    }
    if not request.htmx:
        return form_page(request, "relations/muted_words.html", context)
    fragment = "relations/_muted_word_form.html"
    response = form_page(request, "relations/muted_words.html", context, fragment=fragment)
    return reswap(retarget(response, "#modal"), "innerHTML")


def _find(words: list[MutedWord], typed: str) -> MutedWord | None:
    wanted = needle_of(typed)
    return next((one for one in words if typed and one.needle == wanted), None)


def _back_of(request: SiteRequest) -> str:
    return safe_target(request) if "next" in request.GET else PAGE
