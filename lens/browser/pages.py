"""The page of the site that shows an item, if one does."""

from collections.abc import Callable, Mapping

from socialsite.table.reading import RawItem

Handles = Mapping[str, str]
Page = Callable[[RawItem, Handles], str]


def page_of(raw: RawItem, handles: Handles) -> str:
    """Returns the address of its page, empty if it has none. `handles` are those of the people whom it names."""
    page = PAGES.get(_of(raw, "type"))
    return page(raw, handles) if page else ""


def _of(raw: RawItem, name: str) -> str:
    return str(raw.get(name, {}).get("S", ""))


def _person(attribute: str = "user_id", *, part: str = "") -> Page:
    def page(raw: RawItem, handles: Handles) -> str:
        handle = handles.get(_of(raw, attribute))
        return f"/@{handle}{part}" if handle else ""

    return page


def _post(post: str = "post_id", author: str = "author_id", *, part: str = "") -> Page:
    def page(raw: RawItem, handles: Handles) -> str:
        handle, post_id = handles.get(_of(raw, author)), _of(raw, post)
        return f"/@{handle}/posts/{post_id}{part}" if handle and post_id else ""

    return page


def _tag(raw: RawItem, _: Handles) -> str:
    tag = _of(raw, "tag")
    return f"/tags/{tag}" if tag else ""


def _case(raw: RawItem, _: Handles) -> str:
    kind, subject_id = _of(raw, "kind"), _of(raw, "subject_id")
    return f"/moderation/cases/{kind}/{subject_id}" if kind and subject_id else ""


def _at(address: str) -> Page:
    return lambda raw, handles: address


PAGES: dict[str, Page] = {
    "UserInfo": _person(),
    "UserCount": _person(),
    "HandleClaim": _person(),
    "DirectoryEntry": _person(),
    "Follower": _person(part="/followers"),
    "Following": _person(part="/following"),
    "Relation": _person("other_id"),
    "Post": _post(),
    "Repost": _post("repost_of", "repost_of_author_id"),
    "Reply": _post(),
    "PostVersion": _post(part="/history"),
    "MediaEntry": _person(part="/media"),
    "Like": _post(part="/likers"),
    "LikeTrace": _post(),
    "Reposter": _post(part="/reposters"),
    "Quote": _post(),
    "TimelineEntry": _post(),
    "RecentPosts": _person(),
    "PublicEntry": _post(),
    "TagEntry": _post(),
    "SavedPost": _post(),
    "TagFollower": _tag,
    "FollowedTag": _tag,
    "TagUse": _tag,
    "Notification": _at("/notifications"),
    "Case": _case,
    "SiteRule": _at("/rules"),
    "SiteSettings": _at("/about"),
    "AuditEntry": _at("/moderation/log"),
}
