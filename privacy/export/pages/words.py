"""The fixed words of the JSON files, in the language of the pages."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

WORDS = {
    "everyone": _("Everyone"),
    "followers": _("Followers"),
    "friends": _("Friends"),
    "circle": pgettext_lazy("export", "A circle"),
    "me": _("Only me"),
    "friend": pgettext_lazy("export", "Friend"),
    "favourite": pgettext_lazy("export", "Favourite"),
    "block": pgettext_lazy("export", "Blocked"),
    "mute": pgettext_lazy("export", "Muted"),
    "like": pgettext_lazy("export", "Likes"),
    "repost": pgettext_lazy("export", "Reposts"),
    "reply": pgettext_lazy("export", "Replies"),
    "quote": pgettext_lazy("export", "Quotes"),
    "mention": pgettext_lazy("export", "Mention"),
    "follow": pgettext_lazy("export", "New followers"),
    "follow request": pgettext_lazy("export", "Follow request"),
    "friend request": pgettext_lazy("export", "Friend request"),
    "follow accepted": pgettext_lazy("export", "Follow request accepted"),
    "friend accepted": pgettext_lazy("export", "Friend request accepted"),
    "posted": pgettext_lazy("export", "New posts by a favourite"),
    "poll ended": pgettext_lazy("export", "A poll ended"),
    "decision": pgettext_lazy("export", "Decision by a moderator"),
    "open": _("We’re looking into it"),
    "no rule broken": _("We found that no rule was broken"),
    "action taken": _("We took action"),
    "network": _("Network"),
    "browser": _("Browser"),
    "granted": pgettext_lazy("export", "Granted"),
    "refused": pgettext_lazy("export", "Refused"),
}


def word_of(word: str) -> str:
    return str(WORDS.get(word, word))
