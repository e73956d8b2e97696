"""Lists of one person's posts: pattern 4 of the published design, their replies, their posts with photos, those that
they like, and their own page, on which they can take back every repost, also one that shows nothing now.

And their public posts as an Atom feed (RFC 4287), as a visitor sees them. Its own words are in the site's language,
whoever asks, so that one copy is right for everyone.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.feedgenerator import Atom1Feed, get_tag_uri
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.utils.xmlutils import SimplerXMLGenerator

from accounts.people.cards import PersonCard
from accounts.people.reads import get_user_info
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.muting import IN_LISTS, OF_ONES_OWN, quieten
from feed.cards.pages import name_and_handle, posts_by, shown_text
from feed.cards.post_card import PostCard
from feed.cards.reads import (
    Fetched,
    UnseenPost,
    get_posts,
    keys_of_page,
    liked_in_place,
    reposts_in_place,
    visible_posts,
)
from feed.posts.models import LikeTrace, Post
from feed.posts.reads import answers_another, block_keys, pointer_of, sight_keys, stands_in_lists
from relations.muted_words.reads import muted_keys
from socialsite.table import (
    PAGE_SIZE,
    NotFound,
    Page,
    RawItem,
    Source,
    access_pattern,
    ids,
    keys,
    query_merged,
    query_page,
    row,
)
from socialsite.web.rich_text import beginning

LOOKED_AT = 200  # posts of a person that are read at most to fill one page


@access_pattern
def list_posts(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Pattern 4, getPostListByUserID: returns a person's posts, newest first, without their replies to others.

    Query `PK = u#<id>#post`, then one BatchGetItem of like counts, the viewer's likes and their relationship with the
    author. In all 1 + 21.5 read units. After 200 posts that are all replies the page ends, and may be short.
    """
    page, cards = page_of_posts(source_of_posts(author.user_id), author, viewer, cursor)
    return page.with_items(cards)


@access_pattern
def list_replies(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Returns a person's replies to others, newest first: as `list_posts`, and one BatchGetItem more of the threads, at
    most 3 keys a reply. In all 1 + 30 read units."""
    source = Source(
        keys.posts(author.user_id),
        place_of=_place_of_post,
        start_at=keys.post_of_pointer,
        wanted=lambda raw: answers_another(row(Post, raw)),
        look_at_most=LOOKED_AT,
    )
    page, cards = page_of_posts(source, author, viewer, cursor)
    return page.with_items(cards)


@access_pattern
def list_liked(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard | UnseenPost]:
    """Returns the posts that a person likes, newest post first, for the person alone, with the places of those that
    they may not see now.

    Query `PK = u#<id>#trace`, `SK` beginning with `like#`, and one BatchGetItem of at most 5 keys a post. In all 0.5 +
    50 read units. Traces of reposts alone are passed over, at most 200 for one page.
    """
    traces = Source(
        keys.traces(viewer.user_id),
        between=keys.like_trace_bounds(),
        wanted=lambda raw: not row(LikeTrace, raw).not_liked,
        look_at_most=LOOKED_AT,
    )
    page = query_merged([traces], scope=f"{traces.partition} like", cursor=cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    posts = get_posts(pointers, viewer=viewer, quiet=OF_ONES_OWN)
    return page.with_items(liked_in_place(pointers, posts, author))


def page_of_posts(
    source: Source, author: PersonCard, viewer: Viewer, cursor: str | None
) -> tuple[Page[RawItem], list[PostCard]]:
    """Returns a page of someone's posts as they are stored, and those of them that the viewer may see."""
    page = query_merged([source], scope=source.partition, cursor=cursor)
    who = [author.user_id]
    fetched = Fetched([author])
    fetched.put(page.items)
    pointers = [pointer_of(raw) for raw in page.items]
    reposted = [one.repost_of_author_id for one in pointers if one.repost_of]
    fetched.more(
        [
            *keys_of_page(pointers, viewer=viewer),
            *block_keys(viewer, [*who, *reposted]),
            *sight_keys(viewer, who),
            *muted_keys(viewer),
        ]
    )
    cards = visible_posts(page.items, fetched, viewer=viewer)
    quiet = OF_ONES_OWN if author.is_self else IN_LISTS
    return page, quieten(cards, fetched.mutes(viewer), quiet)


def source_of_posts(author_id: str, *, wanted: Callable[[Post], bool] = stands_in_lists) -> Source:
    """Returns a person's posts, without their replies to others, as a source to merge with others in the order of
    pointers. `wanted` is `goes_out` where they are brought to readers."""
    return Source(
        keys.posts(author_id),
        place_of=_place_of_post,
        start_at=keys.post_of_pointer,
        wanted=lambda raw: wanted(row(Post, raw)),
        look_at_most=LOOKED_AT,
    )


def _place_of_post(raw: RawItem) -> str:
    post = row(Post, raw)
    return keys.pointer(post.post_id, post.author_id)


@access_pattern
def list_media(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Returns a person's posts with photos, newest first, of those the ones that the viewer may see.

    Query `PK = u#<id>#media`, then one BatchGetItem of at most 80 keys, as `get_posts`. In all 0.5 + 50 read units.
    """
    page = query_page(keys.media(author.user_id), cursor=cursor)
    return page.with_items(get_posts(map(pointer_of, page.items), viewer=viewer))


@access_pattern
def list_own_posts(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard | UnseenPost]:
    """Returns what `list_posts` does, for the author alone, with the places of reposts whose posts they may not see now
    or that are no longer for everyone. The same calls. The same calls as `list_posts`."""
    page, cards = page_of_posts(source_of_posts(author.user_id), author, viewer, cursor)
    return page.with_items(reposts_in_place(map(pointer_of, page.items), cards, author))


KEPT = 300  # seconds that caches may keep a feed
MOST_PAGES = 3  # of posts, looked through for those that visitors may see
MOST_OF_TITLE = 80  # characters
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class PostFeed(Atom1Feed):
    """Django's feed, with the posts themselves in it and not only summaries, and the time of the account for a feed
    without posts, so that it stays the same while nothing happens."""

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("content", item["content"], {"type": "html"})
        for photo in item["photos"]:
            handler.addQuickElement("link", "", photo)

    def latest_post_date(self) -> Any:
        return super().latest_post_date() if self.items else self.feed["begun"]


def read_feed(person_id: str) -> tuple[PersonCard, list[PostCard]]:
    """Returns the person, and the newest 20 of their posts that visitors may see, without reposts and what they brought
    from elsewhere. Raises `NotFound`, also for people who are suspended or wait for approval.

    One Query for the person (0.5 read units), then what `list_posts` takes: a Query and a BatchGetItem. Twice or three
    times that if the newest posts are not for everyone.
    """
    person = get_user_info(person_id, viewer=VISITOR)
    if person.is_locked_out:
        raise NotFound("not to be seen")
    posts: list[PostCard] = []
    cursor: str | None = None
    for _page in range(MOST_PAGES):
        page = list_posts(person, viewer=VISITOR, cursor=cursor)
        posts += [post for post in page.items if not (post.reposters or post.imported)]
        cursor = page.next_cursor
        if len(posts) >= PAGE_SIZE or not cursor:
            break
    return person, posts[:PAGE_SIZE]


def write_feed(request: HttpRequest, person: PersonCard, posts: list[PostCard]) -> str:
    """Returns the feed as XML. All addresses in it are absolute. The ids name neither handle nor title, so a reader
    knows a post again when they change."""
    with override(settings.LANGUAGE_CODE):
        address = request.build_absolute_uri
        begun = ids.time_of(person.user_id)
        feed = PostFeed(
            begun=begun,
            title=for_xml(name_and_handle(person)),
            link=address(person.url),
            feed_url=address(feed_path(person)),
            feed_guid=get_tag_uri(address(f"/people/{person.user_id}"), begun),
            description="",
            subtitle=for_xml(person.bio or posts_by(person)),
            author_name=for_xml(person.name),
            author_link=address(person.url),
        )
        for post in posts:
            feed.add_item(**entry_of(request, post))
        xml: str = feed.writeString("utf-8")
    return xml


def kept_for(posts: Iterable[PostCard]) -> int:
    """Returns for how many seconds caches may keep a feed of these posts: none beyond the end of one of them."""
    return min([KEPT, *(post.expires_in for post in posts if post.expires)])


def entry_of(request: HttpRequest, post: PostCard) -> dict[str, Any]:
    """Returns a post as an entry of a feed."""
    address = request.build_absolute_uri
    return {
        "unique_id": get_tag_uri(address(f"/posts/{post.post_id}"), post.created),
        "title": for_xml(_title(post)),
        "link": address(post.url),
        "description": None,
        "content": for_xml(_content(request, post)),
        "photos": _enclosures(request, post),
        "author_name": for_xml(post.author.name),
        "author_link": address(post.author.url),
        "pubdate": post.created,
        "updateddate": post.updated,
    }


def _title(post: PostCard) -> str:
    if post.is_sensitive:
        return _("Post by %(name)s") % {"name": post.author.name}
    return beginning(shown_text(post), MOST_OF_TITLE)


def _content(request: HttpRequest, post: PostCard) -> str:
    """Returns the post as HTML that stands anywhere. Only the site's own links begin with a slash: the text itself is
    escaped, quotation marks too."""
    if post.is_covered:
        return escape(shown_text(post))
    here = request.build_absolute_uri("/")
    html = post.html.replace('href="/', f'href="{here}').replace("\n", "<br>")
    return f"{html}<p>{escape(post.poll.told)}</p>" if post.poll else html


def _enclosures(request: HttpRequest, post: PostCard) -> list[dict[str, str]]:
    """Returns the photos of a post as links, none of a covered one, and none that are not for everyone."""
    return [
        {
            "rel": "enclosure",
            "type": "image/jpeg",
            "href": request.build_absolute_uri(photo.share_url),
            "title": for_xml(photo.alt),
        }
        for photo in post.photos
        if photo.is_public and not post.is_covered
    ]


def feed_path(person: PersonCard) -> str:
    return f"{person.url}/feed.atom"


def for_xml(text: str) -> str:
    """Returns the text without the few characters that XML cannot hold, not even escaped."""
    return NOT_IN_XML.sub("", text)
