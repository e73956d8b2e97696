"""What someone missed, in words: counts, names, and posts that everyone may see. Never anything of a message, nor of a
post for fewer people."""

from collections.abc import Iterable, Sequence
from html import unescape

from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail.choices import Regular
from accounts.mail.letters import Entry, Letter, Section
from accounts.mail.regular import last_words
from accounts.people.cards import PersonCard
from feed.cards.post_card import PostCard
from notifications.cards import NotificationCard
from notifications.digest.reads import News, Unread
from socialsite.texts import shortened
from socialsite.web.rich_text import linked_names

LONGEST = 280  # characters of a post
BELL, MESSAGES = "/notifications", "/messages"


def digest_letter(news: News, handle: str, *, is_last: bool = False) -> Letter:
    """Says what is new. The last one says that no further one comes."""
    found = [
        Section(_("For you"), tuple(_for_you(news))),
        Section(_("From your favourites"), tuple(map(_post, news.favourites))),
        Section(_("Most liked by people you follow"), tuple(map(_post, news.liked))),
    ]
    return Letter(
        _digest_subject(news),
        (_("This is what’s new for @%(handle)s.") % {"handle": handle},),
        sections=tuple(one for one in found if one.entries),
        button=_("Open socialsite"),
        path="/",
        after=(last_words(),) if is_last else (),
        regular=Regular.DIGEST,
    )


def _digest_subject(news: News) -> str:
    said = []
    if news.notifications:
        text = ngettext("%(n)d notification", "%(n)d notifications", news.notifications)
        said.append(text % {"n": news.notifications})
    if news.conversations:
        said.append(_conversations(news.conversations))
    if not said:
        return _("New posts from people you follow")
    return _("New for you: %(list)s") % {"list": ", ".join(said)}


def _conversations(count: int) -> str:
    text = ngettext("%(n)d unread conversation", "%(n)d unread conversations", count)
    return text % {"n": count}


def _for_you(news: News) -> Iterable[Entry]:
    yield from map(_line, news.lines)
    more = news.notifications - len(news.lines)
    if news.lines and more > 0:
        text = ngettext("%(n)d more notification", "%(n)d more notifications", more)
        yield Entry(text % {"n": more}, path=BELL)
    if news.conversations:
        yield _messages(news.writers, news.conversations)


def _line(card: NotificationCard) -> Entry:
    return Entry(card.outside, path=BELL)


def _messages(writers: Sequence[PersonCard], conversations: int) -> Entry:
    text = _conversations(conversations)
    if writers:
        names = plain(linked_names(writers, max(len(writers), conversations)))
        text = _("%(what)s, from %(names)s") % {"what": text, "names": names}
    return Entry(text, path=MESSAGES)


def _post(card: PostCard) -> Entry:
    likes = ngettext("%(n)d like", "%(n)d likes", card.like_count) % {"n": card.like_count}
    return Entry(
        _words_of(card),
        by=f"{card.author.name} (@{card.author.handle})",
        path=card.url,
        note=likes if card.like_count else "",
    )


def _words_of(card: PostCard) -> str:
    """Returns the beginning of a post, or its warning. Words that moderators covered stay covered."""
    if card.is_sensitive or card.warning:
        warned = card.warning or _("sensitive content")
        return _("Content warning: %(warning)s") % {"warning": warned}
    if card.text:
        return shortened(" ".join(card.text.split()), LONGEST)
    return _("Photos") if card.photos else ""


def unread_letter(unread: Unread, handle: str, *, is_last: bool = False) -> Letter:
    """Says that messages or answers have waited for a day."""
    entries = [_line(card) for card in unread.lines]
    if unread.conversations:
        entries.append(_messages(unread.writers, unread.conversations))
    return Letter(
        _unread_subject(unread),
        (_("These have been waiting for @%(handle)s for a day.") % {"handle": handle},),
        sections=(Section(_("Unread"), tuple(entries)),),
        button=_("Read your messages") if unread.conversations else _("See your notifications"),
        path=MESSAGES if unread.conversations else BELL,
        after=(last_words(),) if is_last else (),
        regular=Regular.UNREAD,
    )


def _unread_subject(unread: Unread) -> str:
    people = [*unread.writers, *(one for card in unread.lines for one in card.named)]
    unique = list({one.user_id: one for one in people}.values())
    if not unique:
        return _conversations(unread.conversations)
    names = plain(linked_names(unique, len(unique)))
    text = ngettext("%(names)s is waiting for you", "%(names)s are waiting for you", len(unique))
    return text % {"names": names}


def plain(html: str) -> str:
    """Returns the words of a sentence that was made for a page."""
    return " ".join(unescape(strip_tags(html)).split())
