"""What an app can be allowed (scopes), in the words of its protocol and in those of the person who is asked."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

READ_PARTS = (
    "accounts", "blocks", "bookmarks", "favourites", "filters", "follows", "lists", "mutes", "notifications", "search",
    "statuses",
)  # fmt: skip
WRITE_PARTS = (
    "accounts", "blocks", "bookmarks", "conversations", "favourites", "filters", "follows", "lists", "media", "mutes",
    "notifications", "reports", "statuses",
)  # fmt: skip
# The older name of some parts together.
FOLLOW = frozenset(
    f"{what}:{part}" for what in ("read", "write") for part in ("blocks", "follows", "mutes")
)
SCOPES = (
    "read",
    "write",
    "follow",
    "push",
    "profile",
    *(f"read:{part}" for part in READ_PARTS),
    *(f"write:{part}" for part in WRITE_PARTS),
)
USUAL = "read"  # where an app asks for nothing


def scopes_in(text: str) -> tuple[str, ...]:
    """Returns the scopes that an app asks for, each once, `read` where it asks for none. They may be unknown."""
    return tuple(dict.fromkeys(text.replace("+", " ").split())) or (USUAL,)


def allows(granted: Iterable[str], wanted: str) -> bool:
    """Whether scopes include one: itself, the whole of which it is a part, or the older name for it."""
    given = set(granted)
    whole = wanted.partition(":")[0]
    return bool(given & {wanted, whole}) or ("follow" in given and wanted in FOLLOW)


def in_words(scopes: Iterable[str]) -> list[str]:
    """Returns what scopes let an app do, a sentence for each line of the page that asks."""
    given = set(scopes)
    whole = {
        "read": _(
            "Read everything you can read here: your home, your notifications, and posts that aren’t for everyone"
        ),
        "write": _(
            "Post, edit and delete as you, like, save and report, follow, mute and block, and change your lists and "
            "your profile"
        ),
        "follow": _("Follow, mute and block people as you, and answer requests to follow you"),
        "push": _("Send notifications to your device"),
        "profile": _("See your name, your handle and your profile"),
    }
    lines = [words for scope, words in whole.items() if scope in given]
    for scope, said in (
        ("read", _("Read only: %(parts)s")),
        ("write", _("Change only: %(parts)s")),
    ):
        parts = sorted(one for one in given if one.startswith(f"{scope}:"))
        if parts and scope not in given:
            named = [part_in_words(one.partition(":")[2]) for one in parts]
            lines.append(said % {"parts": ", ".join(named)})
    return lines


def part_in_words(name: str) -> str:
    return {
        "accounts": _("profiles"),
        "blocks": _("blocks"),
        "bookmarks": _("saved posts"),
        "conversations": _("conversations"),
        "favourites": _("likes"),
        "filters": _("muted words"),
        "follows": _("whom you follow"),
        "lists": _("lists"),
        "media": _("photos"),
        "mutes": _("mutes"),
        "notifications": _("notifications"),
        "reports": _("reports"),
        "search": _("search"),
        "statuses": _("posts"),
    }[name]
