"""The words that each card says again, looked up once a language, and those that count, once a language and number."""

from functools import cache, lru_cache

from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

KEPT = 1024  # numbers and languages


@cache
def words_of(language: str | None) -> dict[str, SafeString]:
    """Returns the words by their names in `feed/_post.html`."""
    with translation.override(language):
        words = {
            "says_like": gettext("Like"),
            "says_sign_in_to_like": gettext("Sign in to like"),
            "says_reply": gettext("Reply"),
            "says_sign_in_to_reply": gettext("Sign in to reply"),
            "says_repost": gettext("Repost"),
            "says_sign_in_to_repost": gettext("Sign in to repost"),
        }
    return {name: escape(word) for name, word in words.items()}


# A language may have more forms than two, so each number is asked for by itself. The language is the one at hand.


@lru_cache(KEPT)
def likes_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("like", "likes", count))


@lru_cache(KEPT)
def replies_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("reply", "replies", count))


@lru_cache(KEPT)
def reposts_word(count: int, language: str | None) -> SafeString:
    return escape(ngettext("repost", "reposts", count))
