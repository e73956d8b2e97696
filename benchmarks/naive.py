"""The page that the site's own is held against: the straightforward way with PynamoDB and Django templates.

Models with a discriminator, one `batch_get` per type (5 calls in all), `{% url %}` and date filters in every card. The
viewer, the base template and the text's links are the site's own, so that only data and cards differ.
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import HttpResponse
from django.shortcuts import render
from pynamodb.attributes import (
    DiscriminatorAttribute,
    ListAttribute,
    NumberAttribute,
    TTLAttribute,
    UnicodeAttribute,
)
from pynamodb.models import Model

from accounts.requests import SiteRequest
from feed.cards.words import fold_of
from feed.composing.forms import BlankForm
from feed.home.reads import Pill
from feed.posts.models import Poll, PostPhoto
from photos.reads import WIDTHS, picture_url
from socialsite.table import PAGE_SIZE, ids, keys
from socialsite.web.rich_text import rich_text


class NaiveItem(Model):
    # Not the site's `Item`: that one's client carries the site's fast path.
    class Meta:
        table_name = settings.DYNAMODB_TABLE
        region = settings.DYNAMODB_REGION
        host: str | None = None
        aws_access_key_id = "local"
        aws_secret_access_key = "local"

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    item_type = DiscriminatorAttribute(attr_name="type")
    ttl = TTLAttribute(null=True)


class NaiveEntry(NaiveItem, discriminator="TimelineEntry"):
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()


class NaivePost(NaiveItem, discriminator="Post"):
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute()
    timestamp = UnicodeAttribute()
    audience = UnicodeAttribute(null=True)
    withheld = UnicodeAttribute(null=True)
    sensitive = UnicodeAttribute(null=True)
    warning = UnicodeAttribute(null=True)
    lang = UnicodeAttribute(null=True)
    root_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    unquotable = UnicodeAttribute(null=True)
    edited_at = UnicodeAttribute(null=True)
    poll = Poll(null=True)
    photos = ListAttribute(of=PostPhoto, null=True)


class NaiveUser(NaiveItem, discriminator="UserInfo"):
    user_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    name = UnicodeAttribute()
    bio = UnicodeAttribute(attr_name="content", null=True)
    avatar = UnicodeAttribute(attr_name="imageUrl", null=True)
    location = UnicodeAttribute(null=True)
    role = UnicodeAttribute(null=True)
    locked = UnicodeAttribute(null=True)
    not_indexed = UnicodeAttribute(null=True)
    limited_until = UnicodeAttribute(null=True)
    suspended_until = UnicodeAttribute(null=True)

    @property
    def avatar_url(self) -> str:
        return default_storage.url(self.avatar) if self.avatar else ""

    @property
    def initial(self) -> str:
        return self.name[:1].upper()

    @property
    def tone(self) -> int:
        return sum(self.user_id.encode()) % 8


class NaiveLikeCount(NaiveItem, discriminator="LikeCount"):
    post_id = UnicodeAttribute()
    likes = NumberAttribute(attr_name="like#", default=0)
    replies = NumberAttribute(attr_name="reply#", default=0)
    reposts = NumberAttribute(attr_name="repost#", default=0)


class NaiveTrace(NaiveItem, discriminator="LikeTrace"):
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    not_liked = UnicodeAttribute(null=True)
    repost_id = UnicodeAttribute(null=True)


def connect(url: str) -> None:
    """The base class first, so that all types share one client, as on the site."""
    NaiveItem.Meta.host = url
    NaiveItem._get_connection()


def home(request: SiteRequest) -> HttpResponse:
    rows = NaiveEntry.query(
        keys.timeline(request.user.user_id), scan_index_forward=False, limit=PAGE_SIZE
    )
    entries = list(rows)
    context = {
        "posts": cards(entries, request.user.user_id),
        "form": BlankForm(circles=request.user.circles),
        "pill": Pill.above(request.user, entries[0].sk if entries else None),
        "older_url": "/naive?page=older" if rows.last_evaluated_key else "",
        "newer_url": "",
    }
    return render(request, "naive/home.html", context)


def cards(entries: Iterable[NaiveEntry], viewer_id: str) -> list[dict[str, Any]]:
    rows = list(entries)
    posts = _by_id(NaivePost, {keys.post(row.author_id, row.post_id) for row in rows}, "post_id")
    users = _by_id(NaiveUser, {keys.user_info(row.author_id) for row in rows}, "user_id")
    counts = _by_id(NaiveLikeCount, {keys.like_count(row.post_id) for row in rows}, "post_id")
    traces = _by_id(
        NaiveTrace, {keys.like_trace(viewer_id, row.post_id) for row in rows}, "post_id"
    )
    return [
        {
            "post": (post := posts[row.post_id]),
            "author": users[row.author_id],
            "html": rich_text(post.content),
            "created": ids.time_of(row.post_id),
            "photos": [_photo(one, number) for number, one in enumerate(post.photos or (), 1)],
            "fold": fold_of(post.content),
            "like_count": counts[row.post_id].likes,
            "reply_count": counts[row.post_id].replies,
            "repost_count": counts[row.post_id].reposts,
            "reposted": bool((trace := traces.get(row.post_id)) and trace.repost_id),
            "liked": bool(trace and not trace.not_liked),
        }
        for row in rows
        if row.post_id in posts and row.author_id in users and row.post_id in counts
    ]


def _photo(photo: PostPhoto, number: int) -> dict[str, Any]:
    addresses = {width: picture_url(photo.public_secret, width) for width in WIDTHS[:2]}
    return {"number": number, "photo": photo, "addresses": addresses}


def _by_id(model: type[Model], wanted: set[keys.Key], name: str) -> dict[str, Any]:
    return {getattr(item, name): item for item in model.batch_get([tuple(key) for key in wanted])}
