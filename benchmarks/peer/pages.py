"""Home from PostgreSQL, in three ways: one query each for twenty posts with authors and the viewer's likes."""

import os
from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef
from django.db.models.expressions import RawSQL
from django.http import HttpResponse
from django.shortcuts import render

from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest
from benchmarks.peer.models import Entry, Follow, Like, Post
from benchmarks.peer.viewer import card_of
from feed.cards.post_card import ALONE, PostCard, ShownPhoto, post_url
from feed.cards.words import fold_of
from feed.composing.forms import PostForm
from feed.home.reads import Pill
from feed.templatetags.posts import BUTTONS, CARDS
from socialsite.table import PAGE_SIZE, ids, keys
from socialsite.web.rich_text import rich_text
from socialsite.web.templatetags.kept import DRAWINGS

# A server of the comparison draws each card, and the frame, for each page, as the site did before it kept them.
if os.environ.get("PEER_REDRAWS"):
    for kept in (CARDS, BUTTONS, DRAWINGS):
        kept.most_bytes = 0

# The newest of each person followed, merged: no plan of it depends on how often they post.
NEWEST_OF_EACH = f"""
    SELECT newest.id FROM peer_follow
    CROSS JOIN LATERAL (
        SELECT id FROM peer_post WHERE author_id = peer_follow.followed_id AND audience = ''
        ORDER BY id DESC LIMIT {PAGE_SIZE + 1}
    ) AS newest
    WHERE peer_follow.follower_id = %s ORDER BY newest.id DESC LIMIT {PAGE_SIZE + 1}
"""


def pull(viewer: Viewer) -> list[Post]:
    """The newest posts by anyone followed."""
    followed = Follow.objects.filter(follower=viewer.user_id).values("followed")
    return _read(Post.objects.filter(author__in=followed, audience=""), viewer)


def lateral(viewer: Viewer) -> list[Post]:
    """The same, by the query that cures the quiet worst case."""
    return _read(Post.objects.filter(id__in=RawSQL(NEWEST_OF_EACH, [viewer.user_id])), viewer)


def fanned(viewer: Viewer) -> list[Post]:
    """The same from a table that holds the timeline of every reader."""
    liked = Like.objects.filter(person=viewer.user_id, post=OuterRef("post"))
    entries = Entry.objects.filter(reader=viewer.user_id, post__audience="")
    entries = entries.select_related("post__author").annotate(liked=Exists(liked))
    posts = []
    for entry in entries.order_by("-post_id")[: PAGE_SIZE + 1]:
        entry.post.liked = entry.liked
        posts.append(entry.post)
    return posts


WAYS: dict[str, Callable[[Viewer], list[Post]]] = {
    "pull": pull,
    "lateral": lateral,
    "fanned": fanned,
}


def _read(posts: Any, viewer: Viewer) -> list[Post]:
    liked = Like.objects.filter(person=viewer.user_id, post=OuterRef("pk"))
    posts = posts.select_related("author").annotate(liked=Exists(liked))
    return list(posts.order_by("-id")[: PAGE_SIZE + 1])


def home(request: SiteRequest, way: str, engine: str) -> HttpResponse:
    """Shows the page of a way, drawn by the site's templates (`django`) or the frozen ones (`plain`)."""
    viewer = request.user
    posts = WAYS[way](viewer)
    shown = posts[:PAGE_SIZE]
    top = keys.pointer(shown[0].id, shown[0].author_id) if shown else None
    context = {
        "posts": [post_card(post, viewer) for post in shown],
        "form": PostForm(circles=viewer.circles),
        "pill": Pill.above(viewer, top),
        "older_url": f"{request.path}?page={shown[-1].id}" if len(posts) > PAGE_SIZE else "",
        "newer_url": "",
    }
    return render(request, "feed/home.html", context, using=engine)


def post_card(post: Any, viewer: Viewer) -> PostCard:
    """Returns the site's card of a row."""
    author = card_of(post.author, viewer_id=viewer.user_id)
    created = ids.time_of(post.id)
    url = post_url(author.handle, post.id)
    return PostCard(
        post_id=post.id,
        author=author,
        url=url,
        html=rich_text(post.content),
        iso=created.isoformat(timespec="seconds"),
        created=created,
        like_count=post.likes,
        like_shards=0,
        liked=post.liked,
        is_own=author.is_self,
        reply_count=post.replies,
        repost_count=post.reposts,
        audience=post.audience,
        fold=fold_of(post.content),
        photos=tuple(
            ShownPhoto(
                number=number, url=f"{url}/photos/{number}", sizes=ALONE, reader=None, **photo
            )
            for number, photo in enumerate(post.photos, 1)
        ),
    )
