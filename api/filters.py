"""The words that the person mutes: the list, muting one, changing and ending it. As their page."""

import json
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, Sent, endpoint, refuse, valid
from api.entities.filter import PLACES, filter_id, filter_of
from relations.muted_words import writes
from relations.muted_words.forms import EVER, FOLD, HIDE, MutedWordForm
from relations.muted_words.reads import read_mutes
from relations.muted_words.words import MutedWord, Where
from socialsite.clock import utc_now
from socialsite.table import NotFound

ACTIONS = {"warn": FOLD, "hide": HIDE}


@endpoint("read:filters")
def filters(request: ApiRequest) -> Any:
    return [filter_of(one) for one in read_mutes(request.user).in_force()]


@endpoint("read:filters")
def one(request: ApiRequest, called: str) -> Any:
    return filter_of(_found(request, called))


def _found(request: ApiRequest, called: str) -> MutedWord:
    words = read_mutes(request.user).in_force()
    found = next((one for one in words if filter_id(one.word) == called), None)
    if found is None:
        raise NotFound("no such word")
    return found


@endpoint("write:filters")
def create(request: ApiRequest) -> Any:
    """Mutes a word. One that is muted already is muted as this says."""
    return _mute(request, MutedWord("", folds=True))


@endpoint("write:filters")
def change(request: ApiRequest, called: str) -> Any:
    """Changes how a word is muted, or the word itself. What is not sent stays."""
    return _mute(request, _found(request, called))


@endpoint("write:filters")
def delete(request: ApiRequest, called: str) -> Any:
    writes.unmute_word(by=request.user, word=_found(request, called).word)
    return {}


def _mute(request: ApiRequest, now: MutedWord) -> Any:
    sent = request.sent
    word = _word(sent) or now.word
    typed = {"word": word, "length": EVER, "where": _where(sent, now)}
    typed["how"] = ACTIONS.get(sent.get("filter_action"), FOLD if now.folds else HIDE)
    form = MutedWordForm(typed)
    valid(form)
    wanted = replace(form.muted_word, until=_until(sent, now))
    try:
        writes.mute_word(by=request.user, word=wanted, was=now.word)
    except writes.TooManyWords as error:
        raise refuse(_("You mute 100 words. That is the limit.")) from error
    except writes.TooLongTogether as error:
        told = _("Your muted words are too long together. Choose a shorter one, or remove one.")
        raise refuse(told) from error
    return filter_of(wanted)


def _word(sent: Sent) -> str:
    """Returns the one keyword, empty if none is sent. Raises `Refusal` for several, and for taking one out."""
    words = sent.all("keywords_attributes[][keyword]")
    for text in sent.all("keywords_attributes"):
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or said.get("_destroy"):
            raise refuse(_("Mute one word or phrase at a time."))
        words.append(str(said.get("keyword") or ""))
    if len(words) > 1:
        raise refuse(_("Mute one word or phrase at a time."))
    return words[0] if words else ""


def _where(sent: Sent, now: MutedWord) -> Where:
    """Returns the smallest place here in which all is that an app names."""
    named = set(sent.all("context"))
    if not named:
        return now.where
    small = (Where.HOME, Where.NOTIFICATIONS)
    return next((one for one in small if named == set(PLACES[one])), Where.EVERYWHERE)


def _until(sent: Sent, now: MutedWord) -> int:
    if "expires_in" not in sent:
        return now.until
    asked = sent.get("expires_in") or "0"
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 10):
        raise refuse(_("Choose how long."))
    return int(utc_now().timestamp()) + int(asked) if int(asked) else 0
