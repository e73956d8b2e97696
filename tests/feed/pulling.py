"""Readers of widely followed authors, and what of them is in their timelines."""

from accounts.models import PULLED, UserInfo
from accounts.people.viewer import Viewer
from feed.timelines.big_authors import get_news, learn_to_pull
from relations.follows.writes import follow
from socialsite.table import change, keys, query
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
