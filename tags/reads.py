"""The page of a tag, and its posts as an Atom feed, as a visitor sees them. What a composer suggests while someone
types: `@` and the beginning of a handle or name, `#` and that of a tag."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest
from django.utils.feedgenerator import get_tag_uri
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.posts.reads import pointer_of
from feed.profiles.reads import MOST_PAGES, PostFeed, entry_of
from relations.directory import find_tags, search_people
from relations.suggested import own_relations
from socialsite.table import PAGE_SIZE, Page, access_pattern, keys, query_page
from socialsite.texts import AT, SIGNS, tag_url


@access_pattern
def list_tagged(tag: str, *, viewer: Viewer = VISITOR, cursor: str | None = None) -> Page[PostCard]:
    """Returns the public posts with a tag, newest first, for its page and its Atom feed. Posts of limited people are
    shown only to themselves, those of muted people not at all. A page may be short, or empty, and still have a next
    one. Raises `BadCursor`.

    Query `PK = tag#<tag>#post` and `own_relations`, then as `get_posts`: one or two BatchGetItems, at most 4 keys a
    post. In all 1 + 40 read units.
    """
    page = query_page(keys.tagged_posts(tag), cursor=cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    authors = {one.author_id for one in pointers}
    own = own_relations(viewer)
    posts = get_posts(pointers, viewer=viewer, mutes_of=authors, known=[own])
    return page.with_items([post for post in posts if post.is_own or not post.author.is_limited])


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


MOST = 8
PEOPLE_READ = 16  # entries of the directory: a person has several
LONGEST = 100  # characters that are looked for


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What can stand in place of what was typed. `person` is None for a tag."""

    text: str
    person: PersonCard | None = None


def complete(typed: str, *, viewer: Viewer) -> list[Suggestion]:
    """Returns at most 8 suggestions for a word with its sign; none for anything else.

    For people what `search_people` takes for 16 entries: those whom the viewer follows come first, the others in the
    order of the directory. For tags what `find_tags` takes.
    """
    sign, word = typed[:1], typed[1 : LONGEST + 1]
    if sign and sign in AT and word:
        people = search_people(word, viewer=viewer, size=PEOPLE_READ).items
        nearest = sorted(people, key=lambda person: not person.followed)[:MOST]
        return [Suggestion(f"@{person.handle}", person) for person in nearest]
    if sign and sign in SIGNS:
        return [Suggestion(f"#{tag}") for tag in find_tags(word, size=MOST)]
    return []
