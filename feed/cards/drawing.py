"""Cards as their template gets them: nothing but strings that are ready for HTML.

Django looks up, localises and escapes each value that a template shows, and a page of cards shows a thousand. What
every card shows is escaped here, once, and the template only puts it in its place. An empty string stands for no.
"""

from html import escape
from urllib.parse import quote

from django.utils.safestring import SafeString

from accounts.cards import PersonCard, count_text
from accounts.viewer import Viewer
from feed.cards.page_words import likes_word, replies_word, reposts_word, words_of
from feed.cards.post_card import PostCard
from socialsite.web.ago import ago
from socialsite.web.time_zones import full_date

Strings = dict[str, SafeString]

NO, YES, OFF, ON, FALSE, TRUE = map(SafeString, ("", "1", "0", "1", "false", "true"))
FACE_SIZE = SafeString("44")


def strings_of(
    card: PostCard, language: str | None, viewer: Viewer
) -> dict[str, SafeString | Strings]:
    """Returns what every card shows, by its name in `feed/_post.html`. `language` is the one at hand, which a
    page looks up once for all its cards."""
    author, likes, replies, reposts = (
        card.author,
        card.like_count,
        card.reply_count,
        card.repost_count,
    )
    return {
        **words_of(language),
        "id": _ready(card.post_id),
        "url": _ready(card.url),
        "author_url": _ready(author.url),
        "name": _ready(author.name),
        "handle": _ready(author.handle),
        "person": _face_of(author),
        "iso": _ready(card.iso),
        "when": _ready(full_date(card.created, language)),
        "ago": _ready(ago(card.created, language)),
        "html": _ready(card.html),
        "lang": _ready(card.lang),
        "fold": _ready(card.fold),
        "is_indexed": YES if author.is_indexed else NO,
        "is_signed_in": YES if viewer.is_authenticated else NO,
        "sign_in_url": NO if viewer.is_authenticated else _sign_in_url(card.url),
        "likes": _ready(count_text(likes, language)),
        "likes_word": likes_word(likes, language),
        "has_likes": YES if likes else NO,
        "like_next": OFF if card.liked else ON,
        "liked": TRUE if card.liked else FALSE,
        "replies": _ready(count_text(replies, language)) if replies else NO,
        "replies_word": replies_word(replies, language) if replies else NO,
        "has_repost_button": YES if card.can_be_reposted or card.reposted else NO,
        "reposts": _ready(count_text(reposts, language)) if reposts else NO,
        "reposts_word": reposts_word(reposts, language) if reposts else NO,
        "repost_next": OFF if card.reposted else ON,
        "reposted": TRUE if card.reposted else FALSE,
    }


def is_rare(card: PostCard) -> bool:
    """Whether the card shows what most cards do not. Its template then looks at the card itself."""
    return bool(
        card.reposters
        or card.edited_at
        or card.audience
        or card.root_id
        or card.part_count
        or card.withheld
        or card.photos
        or card.poll
        or card.quote_of
        or card.expires
        or card.is_covered
    )


def _face_of(person: PersonCard) -> Strings:
    """Returns what `_avatar.html` shows of a person."""
    return {
        "avatar_url": _ready(person.avatar_url),
        "initial": _ready(person.initial),
        "tone": _ready(str(person.tone)),
        "size": FACE_SIZE,
    }


def _sign_in_url(url: str) -> SafeString:
    return _ready(f"/login?next={quote(url)}")


def _ready(text: str) -> SafeString:
    # Not Django's `escape`, which does the same, but looks for lazy texts first.
    return text if isinstance(text, SafeString) else SafeString(escape(text))
