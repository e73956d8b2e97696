"""Timelines of people whose unfollow was lost with a stream record: posts of those they no longer follow go."""

from accounts.models import Following, UserSettings
from feed.models import TimelineEntry
from socialsite.table import keys, reading
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.writing import change, write_batch


def clear_strangers(user_id: str, user_settings: RawItem) -> None:
    """Takes the posts of people who are not followed out of a timeline, entries and pulls alike.

    One Query of the timeline and one BatchGetItem of follow edges, consistent; BatchWriteItems of what goes. Only for
    who holds the stream: a follow that commits meanwhile is handled later and puts its posts back.
    """
    entries: dict[str, list[keys.Key]] = {}
    for raw in query(keys.timeline(user_id), consistent=True):
        author_id = reading.text(raw, TimelineEntry.author_id)
        entries.setdefault(author_id, []).append(reading.key_of(raw))
    pulled = reading.texts(user_settings, UserSettings.pulled)
    authors = {*entries, *pulled} - {user_id}
    edges = fetch((keys.following(user_id, author) for author in authors), consistent=True)
    followed = {reading.text(raw, Following.followed_id) for raw in edges.values()}
    strangers = authors - followed
    if no_longer := strangers & set(pulled):
        change(UserSettings, keys.user_settings(user_id), [UserSettings.pulled.delete(no_longer)])
    write_batch(deletes=(key for author_id in strangers for key in entries.get(author_id, ())))
