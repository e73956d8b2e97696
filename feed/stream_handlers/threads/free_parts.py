"""Lets the posts of a story stand for themselves once its first post is gone."""

from contextlib import suppress

from feed.models import Post, Reply, Story
from feed.threads.places import read_story
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import actions, keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import key_of
from socialsite.table.row import row
from socialsite.table.writing import transact


@on(Post, "REMOVE")
def free_parts(change: Change, ledger: Ledger) -> None:
    """Takes the mark off the further posts, each with its place in the thread. Then they are on their author's page,
    and `fan_out_post` brings them to followers. A part that is deleted meanwhile stays so. Safe to run twice."""
    first = change.item
    assert isinstance(first, Post)
    if first.story != Story.FIRST:
        return
    for raw in read_story(first.post_id):
        part = row(Reply, raw)
        with suppress(NotFound):
            transact(
                actions.Change(
                    Post, keys.post(part.author_id, part.post_id), [Post.story.remove()]
                ),
                actions.Change(Reply, key_of(raw), [Reply.story.remove()]),
            )
    ledger.note_effect()
