"""Handles that nobody can choose: addresses of the site, and names that could be mistaken for its staff."""

from functools import cache

from the_big_username_blacklist import get_blacklist

OURS = {
    "about", "admin", "admins", "all", "api", "bookmarks", "circles", "everyone", "explore", "followers",
    "following", "friends", "healthz", "help", "here", "home", "likes", "local", "login", "logout", "media",
    "messages", "mod", "moderation", "moderator", "moderators", "new", "notifications", "official", "posts",
    "privacy", "readyz", "requests", "root", "rules", "search", "security", "settings", "signup", "site",
    "socialsite", "staff", "static", "support", "system", "tags", "team",
}  # fmt: skip


def is_reserved(handle: str) -> bool:
    return handle in _reserved()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(OURS | {name.replace("-", "_").lower() for name in get_blacklist()})
