"""Muted words, as filters. One is called by a hash of the word as it is compared: another spelling is the same word."""

import hashlib
from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from typing import Any

from api.entities.account import moment
from relations.muted_words.words import MutedWord, Where, needle_of

PLACES = {
    Where.EVERYWHERE: ["home", "notifications", "public", "thread", "account"],
    Where.HOME: ["home"],
    Where.NOTIFICATIONS: ["notifications"],
}


def filter_id(word: str) -> str:
    needle = needle_of(word)
    hashed = hashlib.sha256(f"{needle.kind} {needle.text}".encode()).digest()
    return urlsafe_b64encode(hashed)[:22].decode()


def filter_of(muted: MutedWord) -> dict[str, Any]:
    """Returns a muted word, with the one keyword that it is."""
    called = filter_id(muted.word)
    return {
        "id": called,
        "title": muted.word,
        "context": PLACES[muted.where],
        "expires_at": moment(datetime.fromtimestamp(muted.until, UTC)) if muted.until else None,
        "filter_action": "warn" if muted.folds else "hide",
        "keywords": [{"id": called, "keyword": muted.word, "whole_word": True}],
        "statuses": [],
    }
