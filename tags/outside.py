"""The posts with a tag as an Atom feed, as a visitor sees them. Feeds of people: `feed/outside/atom.py`."""

from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest
from django.utils.feedgenerator import get_tag_uri
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.viewer import VISITOR
from feed.cards import PostCard
from feed.outside.atom import MOST_PAGES, PostFeed, entry_of
from socialsite.table.paging import PAGE_SIZE
from socialsite.texts.hashtags import tag_url
from tags.access_patterns import list_tagged

# Nobody has begun a tag: its feed is there for whoever asks first, and stays the same until there is a post.
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def read_tagged(tag: str) -> list[PostCard]:
    """Returns the newest 20 posts with a tag that visitors may see: what `list_tagged` takes, two or three times that
    if the newest are not to be seen."""
    posts: list[PostCard] = []
    cursor: str | None = None
    for _page in range(MOST_PAGES):
        page = list_tagged(tag, viewer=VISITOR, cursor=cursor)
        posts += page.items
        cursor = page.next_cursor
        if len(posts) >= PAGE_SIZE or not cursor:
            break
    return posts[:PAGE_SIZE]


def write_tag_feed(request: HttpRequest, tag: str, posts: list[PostCard]) -> str:
    """Returns the feed as XML, in the language of the site. All addresses in it are absolute."""
    with override(settings.LANGUAGE_CODE):
        address = request.build_absolute_uri(tag_url(tag))
        feed = PostFeed(
            begun=BEGUN,
            title=f"#{tag}",
            link=address,
            feed_url=f"{address}/feed.atom",
            feed_guid=get_tag_uri(address, BEGUN),
            description="",
            subtitle=_("Posts with #%(tag)s") % {"tag": tag},
        )
        for post in posts:
            feed.add_item(**entry_of(request, post))
        xml: str = feed.writeString("utf-8")
    return xml
