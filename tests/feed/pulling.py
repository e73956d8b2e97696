"""Readers of widely followed authors, and what of them is in their timelines."""

from accounts.models import PULLED, UserInfo
from accounts.viewer import Viewer
from feed.pulled.news import get_news
from feed.stream_handlers.cross_to_pull import learn_to_pull
from relations.services.follow import follow
from socialsite.table import keys
from socialsite.table.reading import query
from socialsite.table.writing import change
from tests.streams.crowd import returning


def pull(reader: Viewer, *authors: Viewer) -> None:
    for author in authors:
        change(UserInfo, keys.user_info(author.user_id), [UserInfo.reading.set(PULLED)])
        follow(by=reader, user_id=author.user_id)
        learn_to_pull(reader.user_id, author.user_id)


def entries_of(reader: Viewer) -> list[str]:
    rows = query(keys.timeline(reader.user_id), forward=False)
    return [raw["post_id"]["S"] for raw in rows]


def news_of(reader: Viewer) -> list[str]:
    return [raw["post_id"]["S"] for raw in get_news(returning(reader)).entries]
