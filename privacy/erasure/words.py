"""What a receipt says of each kind of thing that was deleted, or that stays."""

from django.utils.translation import gettext as _


def count_words() -> list[tuple[str, str]]:
    """Returns the kinds that are counted, with their words, in the order of the page."""
    return [
        ("posts", _("Posts and replies")),
        ("reposts", _("Reposts")),
        ("likes", _("Likes")),
        ("followers", _("Followers")),
        ("follows", _("People you followed")),
        ("relations", _("Friends, favourites, requests, blocks and mutes, of both sides")),
        ("tags", _("Tags you followed")),
        ("sign_ins", _("Sign-ins")),
        ("pictures", _("Pictures")),
        ("jobs", _("Unfinished work of the site")),
        ("others", _("Notifications, saved posts and what else was yours")),
        ("left", _("Traces in other places, found by the search")),
    ]


def kept_words(kind: str) -> list[str]:
    """Returns why something stays, nothing for a kind that this version does not know."""
    words = {
        "handle": _(
            "Your handle, which nobody can take until then, so that nobody can pose as you."
        ),
        "address": _(
            "A code made from your email address, because your account was suspended. It can’t be read, "
            "and bars a new account with this address."
        ),
        "evidence": _(
            "What moderators decided about you, and reports of you that they still have to look at, with the "
            "posts and photos it was about, so that decisions can be checked (Art. 17(3)(e) GDPR)."
        ),
        "log": _(
            "Entries about you in the moderators’ log. It is a chain that can’t be changed afterwards. "
            "It names you by a number only."
        ),
        "decisions": _("What you decided as a member of staff. It names you by a number only."),
        "reports": _(
            "What you reported, with the cases it belongs to. Nothing there leads to you."
        ),
        "places": _(
            "What others wrote: their replies, with “deleted” in place of your posts, and your handle "
            "where they mentioned you. It leads nowhere."
        ),
        "copies": _(
            "Scattered copies of your account’s number, such as in lists of others. Nobody sees them, and a "
            "search through everything removes them that night."
        ),
        "backups": _(
            "Backups of the whole site, which nobody looks into, until they are destroyed."
        ),
    }
    return [words[kind]] if kind in words else []
