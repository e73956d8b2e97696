"""The names of three publications, each with the item, attribute, function or page that it became here.

They are the social-network schema (with the model that `operations/workbench/` imports), the building blocks of data
modelling, and the article about relationships in games. Item types and attributes are named as the table has them, so
that a test can look for each in the models.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """A published attribute, and what holds it here, as `Item.attribute`."""

    theirs: str
    ours: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """A published entity. `key` is its published key, `item` our type, empty for what is no item here."""

    theirs: str
    key: str
    item: str
    see: str
    attributes: tuple[Named, ...]
    said: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A published access pattern or operation. `item` is the type whose keys it names. `order` says how far and which
    way the sort key goes, and `filters` which attributes are compared after reading."""

    theirs: str
    function: str
    operation: str
    item: str
    see: str
    order: str = ""
    index: str = ""
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A published building block. `page` is the building block's page here, `document` what else says more."""

    theirs: str
    page: str
    here: str
    document: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation of the diagrams: `said` stands in the box of `many`."""

    one: str
    many: str
    said: str
    is_left: bool = True


SOCIAL_NETWORK = (
    Entity(
        "User",
        "`u#<id>`, `info`",
        "UserInfo",
        "/@<handle>",
        (
            Named("name", "UserInfo.name"),
            Named("content", "UserInfo.content", "the bio"),
            Named("imageUrl", "UserInfo.imageUrl", "the avatar’s file"),
        ),
        "`etc` of the published item says nothing, so an import leaves it out and tells so",
    ),
    Entity(
        "User’s counts",
        "`u#<id>`, `count`",
        "UserCount",
        "/@<handle>",
        (
            Named("follower#", "UserCount.follower#"),
            Named("following#", "UserCount.following#"),
            Named("post#", "UserCount.post#", "posts that end by themselves stand in `ends`"),
        ),
    ),
    Entity(
        "Follower",
        "`u#<id>#follower`, `u#<follower>`",
        "Follower",
        "/@<handle>/followers",
        (Named("sort key", "Follower.follower_id"),),
    ),
    Entity(
        "Following",
        "`u#<id>#following`, `u#<followed>`",
        "Following",
        "/@<handle>/following",
        (Named("sort key", "Following.followed_id"),),
        "the mirror image of Follower, written in one transaction with it",
    ),
    Entity(
        "Post",
        "`u#<id>#post`, `p#<post>`",
        "Post",
        "/@<handle>/posts/<post>",
        (
            Named("content", "Post.content"),
            Named("imageUrl", "Post.photos", "up to four photos"),
            Named("timestamp", "Post.timestamp"),
        ),
    ),
    Entity(
        "Like",
        "`p#<post>#likelist`, `u#<liker>`",
        "Like",
        "/@<handle>/posts/<post>/likers",
        (Named("sort key", "Like.user_id"),),
    ),
    Entity(
        "Like count",
        "`p#<post>#likecount`, `count`",
        "LikeCount",
        "/@<handle>/posts/<post>",
        (Named("etc", "LikeCount.like#", "a text there, a number here"),),
    ),
    Entity(
        "Timeline",
        "`u#<id>#timeline`, `p#<post>#u#<author>`",
        "TimelineEntry",
        "/",
        (
            Named("sort key", "TimelineEntry.post_id"),
            Named("sort key", "TimelineEntry.author_id"),
            Named("ttl", "TimelineEntry.ttl"),
        ),
    ),
)
# What the authors give as their example of time to live.
USER_MESSAGES = (
    Entity(
        "User messages",
        "–",
        "Message",
        "/messages",
        (
            Named("from one user to another", "Message.author_id", "both name the conversation"),
            Named("ttl, after seven days", "Message.ttl", "1, 30 or 365 days if its people choose"),
        ),
        "sealed with the author’s key, left out where its `ttl` has passed, never archived",
    ),
    Entity(
        "What a user has of them",
        "–",
        "ChatEntry",
        "/messages",
        (Named("ttl", "ChatEntry.ttl", "that of the last message"),),
        "one for each of the people, written with the message or by the worker",
    ),
)
SOCIAL_TIES = (
    Tie("User", "User’s counts", "counts of a user"),
    Tie("User", "Follower", "a user is followed by users"),
    Tie("User", "Following", "a user follows users"),
    Tie("User", "Post", "a user writes posts"),
    Tie("User", "Like", "a user likes posts"),
    Tie("Post", "Like", "a post is liked by users", is_left=False),
    Tie("Post", "Like count", "count of a post", is_left=False),
    Tie("User", "Timeline", "a user has a timeline"),
    Tie("Post", "Timeline", "a post is in timelines", is_left=False),
)

SEVEN = (
    Asked("getUserInfoByUserID", "get_user_info", "Query", "UserInfo", "/@<handle>", "all"),
    Asked(
        "getFollowerListByUserID",
        "list_followers",
        "Query",
        "Follower",
        "/@<handle>/followers",
        "all, oldest account first",
    ),
    Asked(
        "getFollowingListByUserID",
        "list_following",
        "Query",
        "Following",
        "/@<handle>/following",
        "all, oldest account first",
    ),
    Asked("getPostListByUserID", "list_posts", "Query", "Post", "/@<handle>", "all, newest first"),
    Asked(
        "getUserLikesByPostID",
        "list_likers",
        "Query",
        "Like",
        "/@<handle>/posts/<post>/likers",
        "all, oldest account first",
    ),
    Asked(
        "getLikeCountByPostID", "get_like_count", "GetItem", "LikeCount", "/@<handle>/posts/<post>"
    ),
    Asked(
        "getTimelineByUserID", "get_timeline", "Query", "TimelineEntry", "/", "all, newest first"
    ),
)

BLOCKS = (
    Block(
        "Composite sort key", "composite-sort-key", "one shelf of drafts, scheduled and saved posts"
    ),
    Block(
        "Multi-tenancy",
        "tenant",
        "a person is a partition",
        "adr/0025-a-data-key-for-each-person.md",
    ),
    Block("Sparse index", "sparse-index", "requests that wait, cases that are open", "scale.md"),
    Block("Time to live", "ttl", "private messages, timelines, sign-ins", "archive.md"),
    Block("Time to live for archival", "archive", "what TTL removed, as files", "archive.md"),
    Block(
        "Vertical partitioning", "vertical-partitioning", "a person’s texts, counts and settings"
    ),
    Block(
        "Write sharding",
        "write-sharding",
        "likes of a hot post, votes of the whole site",
        "scale.md",
    ),
    Block(
        "Filter criteria of a Lambda event",
        "event-filter",
        "what reaches worker and archive",
        "deploy.md",
    ),
    Block("Metadata first in the sort key, Limit 1", "metadata-first", "the gate of a thread"),
    Block(
        "Local and global secondary indexes",
        "local-and-global-indexes",
        "why both indexes are global",
    ),
    Block("Single table or several", "one-table-or-several", "home, measured both ways"),
    Block("Read cache, DAX", "read-cache", "the site’s rules and the newest authors", "scale.md"),
    Block("Fan-out on write", "fan-out", "an entry in each follower’s timeline", "scale.md"),
    Block(
        "Queue and summary before a counter",
        "queue-before-a-counter",
        "counts of likes",
        "reliability.md",
    ),
    Block("Soft delete by `delete_status`", "soft-delete", "relations that ended", "relations.md"),
    Block(
        "Relations of level one and two",
        "two-level-relations",
        "people, topics and posts for you",
        "relations.md",
    ),
    Block("FilterExpression", "filters", "friends by circle, place and pronouns", "relations.md"),
    Block(
        "Inverted index, our own",
        "inverted-index",
        "public posts by their words",
        "adr/0038-words-are-found-in-the-table.md",
    ),
)

_RELATION = Entity(
    "Relation",
    "`user_id`, `relevant_id`",
    "Relation",
    "/friends",
    (
        Named("user_id", "Relation.user_id"),
        Named("relevant_id", "Relation.other_id"),
        Named("type_id", "Relation.relation_type", "also the beginning of the sort key"),
        Named("tag", "Relation.tags", "the ids of circles"),
        Named("relevantContent", "Relation.note", "sealed with the owner’s key"),
        Named("relevant_gender", "Relation.gender", "copied, and folded in `folded_gender`"),
        Named("location", "Relation.location", "copied, and folded in `folded_location`"),
        Named("create_time", "Relation.created_at", "`first_at` if it ended between"),
        Named("update_time", "Relation.update_time"),
        Named("delete_status", "Relation.delete_status"),
    ),
    "the table `UserRelevantTable` is the partition `u#<user>#relation` of the one table",
)
_USER = (
    Named("user_id", "UserInfo.user_id"),
    Named("name", "UserInfo.name"),
    Named("gender", "UserInfo.gender", "how they want to be spoken of"),
    Named("location", "UserInfo.location"),
    Named(
        "level_id",
        "UserInfo.level",
        "missing: a member; `Relation.level` is a copy where they show it",
    ),
)
_LEVEL = Entity(
    "Level",
    "`level_id`",
    "SiteLevel",
    "/dev/table/types/SiteLevel",
    (Named("level_id", "SiteLevel.level"),),
    "there is one for what staff changed; levels as they come stand in the code",
)
_TYPE = Entity(
    "RelationType",
    "`type_id`",
    "",
    "/dev/table/types/Relation",
    (),
    "an enumeration of the code; its number begins the sort key",
)


RELATIONS = (
    _LEVEL,
    Entity("User", "`user_id`", "UserInfo", "/@<handle>", _USER),
    _TYPE,
    _RELATION,
)
RELATION_TIES = (
    Tie("Level", "User", "a level is that of many users", is_left=False),
    Tie("User", "Relation", "a user has relations"),
    Tie("User", "Relation", "a user is in those of others"),
    Tie("RelationType", "Relation", "a type is that of many", is_left=False),
)

OPERATIONS = (
    Asked(
        "createRelevant",
        "create_relation",
        "TransactWriteItems",
        "Relation",
        "/@<handle>",
        "one item, and `delete_status` may be true before",
    ),
    Asked(
        "getFilteredRelevant",
        "list_relations",
        "Query",
        "Relation",
        "/friends",
        "one type, oldest account first",
        filters=("delete_status", "tags", "folded_location", "folded_gender"),
    ),
    Asked(
        "getFilteredRelevant, from the other side",
        "list_relating",
        "Query",
        "Relation",
        "/requests",
        "all of the type, newest first",
        index="typeIndex",
    ),
    Asked(
        "updateRelevant",
        "update_relation",
        "UpdateItem",
        "Relation",
        "/friends",
        "one item, `update_time` is now",
    ),
    Asked(
        "deleteRelevant",
        "delete_relation",
        "TransactWriteItems",
        "Relation",
        "/@<handle>",
        "one item, `delete_status` is true, out of `typeIndex`",
    ),
    Asked(
        "relations of level one and two",
        "recommend_people",
        "Query",
        "Following",
        "/explore",
        "all, of the person and of 25 near them",
    ),
)
