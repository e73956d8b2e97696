"""Every partition key and sort key of the table. No other file writes `#`.

| Partition key              | Sort key                | Item               |
|----------------------------|-------------------------|--------------------|
| `u#<user>`                 | `info`                  | UserInfo           |
| `u#<user>`                 | `count`                 | UserCount          |
| `u#<user>`                 | `settings`              | UserSettings       |
| `u#<user>#auth`            | `auth`                  | Credentials        |
| `u#<user>#session`         | `s#<hash of secret>`    | SignIn             |
| `u#<user>#follower`        | `u#<follower>`          | Follower           |
| `u#<user>#following`       | `u#<followed>`          | Following          |
| `u#<user>#relation`        | `<type>#u#<other>`      | Relation           |
| `u#<user>#suggestion`      | `list`                  | Suggestions        |
| `u#<user>#dismissal`       | `u#<other>`             | Dismissal          |
| `u#<user>#post`            | `p#<post>`              | Post               |
| `u#<user>#submission`      | `n#<nonce>`             | Submission         |
| `u#<user>#timeline`        | `p#<post>#u#<author>`   | TimelineEntry      |
| `u#<user>#trace`           | `like#p#<post>`         | LikeTrace          |
| `u#<user>#import`          | `i#<import>`            | Import             |
| `u#<user>#importrow`       | `i#<import>#<number>`   | ImportRows         |
| `p#<post>#likelist`, `p#<post>#likelist#<shard>` | `u#<liker>` | Like       |
| `p#<post>#likecount`       | `count`                 | LikeCount          |
| `public#<day>#<shard>`     | `p#<post>#u#<author>`   | PublicEntry        |
| `handle#<handle>`          | `handle`                | HandleClaim        |
| `email#<hmac>`             | `email`                 | EmailClaim         |
| `find#<first 1 or 2 letters>` | `<folded name>#u#<user>` | DirectoryEntry |
| `limit#<kind>#<hmac>`      | `w#<window>`            | RateLimit          |
| `worker#<shard>`           | `lease`                 | Lease              |
| `worker#dead`              | `<shard>#<sequence>`    | DeadLetter         |
| `worker#seen#<event>`      | `seen`                  | SeenRecord         |
| `job#<kind>`               | `j#<job>`               | Job                |

`<user>`, `<post>` are ULIDs. Ids are never read back out of a key: every item carries them as attributes too.
One item type per list partition (the two items of `u#<user>` are read together on purpose). A format, once data
exists, is never changed, only added to.
"""

from datetime import date
from typing import NamedTuple


class Key(NamedTuple):
    """The primary key of an item."""

    pk: str
    sk: str


# People


def user(user_id: str) -> str:
    return f"u#{user_id}"


def user_info(user_id: str) -> Key:
    return Key(user(user_id), "info")


def user_count(user_id: str) -> Key:
    return Key(user(user_id), "count")


def user_settings(user_id: str) -> Key:
    return Key(user(user_id), "settings")


def credentials(user_id: str) -> Key:
    return Key(f"u#{user_id}#auth", "auth")


def sign_ins(user_id: str) -> str:
    return f"u#{user_id}#session"


def sign_in(user_id: str, secret_hash: str) -> Key:
    return Key(sign_ins(user_id), f"s#{secret_hash}")


def handle_claim(handle: str) -> Key:
    return Key(f"handle#{handle}", "handle")


def email_claim(email_hmac: str) -> Key:
    return Key(f"email#{email_hmac}", "email")


# The directory


def directory(letters: str) -> str:
    return f"find#{letters}"


def directory_entry(letters: str, folded: str, user_id: str) -> Key:
    return Key(directory(letters), f"{folded}#u#{user_id}")


def directory_bounds(prefix: str) -> tuple[str, str]:
    """Between which sort keys every folded name is that begins so."""
    return prefix, f"{prefix}\U0010ffff"


# Follows


def followers(user_id: str) -> str:
    return f"u#{user_id}#follower"


def follower(user_id: str, follower_id: str) -> Key:
    return Key(followers(user_id), f"u#{follower_id}")


def followings(user_id: str) -> str:
    return f"u#{user_id}#following"


def following(user_id: str, followed_id: str) -> Key:
    return Key(followings(user_id), f"u#{followed_id}")


# Relations


def relations(user_id: str) -> str:
    return f"u#{user_id}#relation"


def relation(user_id: str, relation_type: int, other_id: str) -> Key:
    return Key(relations(user_id), relation_target(relation_type, other_id))


def relation_bounds(relation_type: int) -> tuple[str, str]:
    """Between which sort keys all relations of a type are."""
    return f"{relation_type}#", f"{relation_type}#~"


# Suggestions


def suggestions(user_id: str) -> Key:
    return Key(f"u#{user_id}#suggestion", "list")


def dismissal(user_id: str, other_id: str) -> Key:
    return Key(f"u#{user_id}#dismissal", f"u#{other_id}")


# Posts


def posts(user_id: str) -> str:
    return f"u#{user_id}#post"


def post(user_id: str, post_id: str) -> Key:
    return Key(posts(user_id), f"p#{post_id}")


def submission(user_id: str, nonce: str) -> Key:
    return Key(f"u#{user_id}#submission", f"n#{nonce}")


def timeline(user_id: str) -> str:
    return f"u#{user_id}#timeline"


def pointer(post_id: str, author_id: str) -> str:
    """The sort key under which lists of posts by several authors point at one."""
    return f"p#{post_id}#u#{author_id}"


def post_of_pointer(pointer: str) -> str:
    """The sort key of the post at which a pointer points: its first part."""
    return "#".join(pointer.split("#")[:2])


def timeline_entry(user_id: str, post_id: str, author_id: str) -> Key:
    return Key(timeline(user_id), pointer(post_id, author_id))


def public_day(day: date, shard: int) -> str:
    return f"public#{day.isoformat()}#{shard}"


def public_entry(day: date, shard: int, post_id: str, author_id: str) -> Key:
    return Key(public_day(day, shard), pointer(post_id, author_id))


# Likes


def likes(post_id: str, shard: int | None = None) -> str:
    """The likes of a post, or one shard of them where they are spread."""
    return f"p#{post_id}#likelist" if shard is None else f"p#{post_id}#likelist#{shard}"


def like(post_id: str, liker_id: str, shard: int | None = None) -> Key:
    return Key(likes(post_id, shard), f"u#{liker_id}")


def like_count(post_id: str) -> Key:
    return Key(f"p#{post_id}#likecount", "count")


def like_trace(user_id: str, post_id: str) -> Key:
    return Key(f"u#{user_id}#trace", f"like#p#{post_id}")


# Imports


def imports(user_id: str) -> str:
    return f"u#{user_id}#import"


def imported(user_id: str, import_id: str) -> Key:
    return Key(imports(user_id), f"i#{import_id}")


def import_rows(user_id: str) -> str:
    return f"u#{user_id}#importrow"


def import_row(user_id: str, import_id: str, number: int) -> Key:
    return Key(import_rows(user_id), f"i#{import_id}#{number:04}")


def import_row_bounds(import_id: str) -> tuple[str, str]:
    """Between which sort keys all rows of an import are."""
    return f"i#{import_id}#", f"i#{import_id}#~"


# Machinery


def rate_limit(kind: str, subject_hmac: str, window: int) -> Key:
    return Key(f"limit#{kind}#{subject_hmac}", f"w#{window}")


def lease(shard_id: str) -> Key:
    return Key(f"worker#{shard_id}", "lease")


def dead_letters() -> str:
    return "worker#dead"


def dead_letter(shard_id: str, sequence: str) -> Key:
    return Key(dead_letters(), f"{shard_id}#{sequence}")


def seen_record(event_id: str) -> Key:
    return Key(f"worker#seen#{event_id}", "seen")


def jobs(kind: str) -> str:
    return f"job#{kind}"


def job(kind: str, job_id: str) -> Key:
    return Key(jobs(kind), f"j#{job_id}")


# Sparse indexes


def relation_target(relation_type: int, other_id: str) -> str:
    """The partition key of `typeIndex`: who relates to this person with this type."""
    return f"{relation_type}#u#{other_id}"
