"""Quotes as tests make them and look at them."""

from typing import Any

from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.posts.models import LikeCount
from feed.posts.reads import Pointer
from feed.sharing.writes import quote
from socialsite.table import get, keys
from socialsite.table.ids import new_id


def quoted_by(by, author, post_id: str, content: str = "Look", **how: Any) -> str:
    where = Pointer(post_id, author.user_id)
    return quote(by=by, post=where, content=content, nonce=new_id()[:22], **how)


def card_of(author, post_id: str, viewer) -> PostCard:
    return get_post(post_id, author.user_id, viewer=viewer)


def counted(post_id: str) -> int:
    return int(get(LikeCount, keys.like_count(post_id)).quotes or 0)
