"""Clears timelines whose unfollow was lost with a stream record."""

from accounts.models import UserSettings
from feed.models import TimelineEntry
from relations.followed_tags import followed_tags_now
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.table import keys, reading
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import change, write_batch


def clear_strangers(user_id: str, user_settings: RawItem) -> None:
    """Takes posts of people who are neither followed nor friends out of a timeline, and stops pulling people who are
    not followed. Friends may stay, because posts for friends reach them without a follow, and posts that a followed tag
    brought.

    Queries of the timeline and of the followed tags, and BatchGetItems of a follow edge and a friendship for each
    author, consistent; BatchWriteItems of the entries to delete. Rebuild the timeline afterwards: that brings back
    posts of people who were followed just then.
    """
    entries: dict[str, list[keys.Key]] = {}
    tags = followed_tags_now(user_id)
    for raw in query(keys.timeline(user_id), consistent=True):
        entry = row(TimelineEntry, raw)
        if entry.tag not in tags:
            entries.setdefault(entry.author_id, []).append(reading.key_of(raw))
    pulled = set(row(UserSettings, user_settings).pulled)
    authors = {*entries, *pulled} - {user_id}
    edges = {author: keys.following(user_id, author) for author in authors}
    friendships = {
        author: keys.relation(user_id, RelationType.FRIEND, author) for author in authors
    }
    found = fetch([*edges.values(), *friendships.values()], consistent=True)
    followed = {author for author in authors if edges[author] in found}
    friends = {author for author in authors if is_in_force(found.get(friendships[author]))}
    if no_longer := pulled - followed:
        settings_key = keys.user_settings(user_id)
        change(UserSettings, settings_key, [UserSettings.pulled.delete(no_longer)])
        again = fetch([edges[author] for author in no_longer], consistent=True)
        if back := {author for author in no_longer if edges[author] in again}:
            change(UserSettings, settings_key, [UserSettings.pulled.add(back)])
    strangers = authors - followed - friends
    write_batch(deletes=(key for author_id in strangers for key in entries.get(author_id, ())))
