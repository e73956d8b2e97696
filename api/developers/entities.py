"""The entities of answers, as JSON Schema. `tests/api/test_description.py` holds them to what is answered."""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
ID: Schema = {"type": "string"}
LINK: Schema = {"type": "string"}
HTML: Schema = {"type": "string", "description": "HTML of the site's own links and lines."}
NUMBER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
ANYTHING: Schema = {}


def or_none(schema: Schema) -> Schema:
    """Returns the schema of what may be null."""
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema | {"type": [schema["type"], "null"]}


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def the(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def told(schema: Schema, description: str) -> Schema:
    return schema | {"description": description}


def entity(optional: dict[str, Schema] | None = None, /, **properties: Schema) -> Schema:
    """Returns the schema of an object that has all of these properties, and perhaps the `optional` ones."""
    return {
        "type": "object",
        "properties": properties | (optional or {}),
        "required": list(properties),
    }


OURS = "Our own field."

ACCOUNT = entity(
    id=ID,
    username=TEXT,
    acct=told(TEXT, "The handle. There are no others than those of this site."),
    display_name=TEXT,
    locked=told(FLAG, "Whether they decide who follows them."),
    bot=FLAG,
    group=FLAG,
    discoverable=FLAG,
    indexable=FLAG,
    noindex=FLAG,
    created_at=MOMENT,
    note=HTML,
    url=LINK,
    uri=LINK,
    avatar=LINK,
    avatar_static=LINK,
    header=LINK,
    header_static=LINK,
    followers_count=told(NUMBER, "0 in lists: a person alone has it."),
    following_count=told(NUMBER, "0 in lists."),
    statuses_count=told(NUMBER, "0 in lists."),
    last_status_at=or_none(MOMENT),
    hide_collections=FLAG,
    emojis=many(ANYTHING),
    roles=many(ANYTHING),
    fields=many(ANYTHING),
)
OWN_ACCOUNT: Schema = {
    "allOf": [
        the("Account"),
        entity(source={"type": "object"}, role=told({"type": "object"}, "Never one of staff.")),
    ]
}
PHOTO = entity(
    id=ID,
    type=TEXT,
    url=or_none(LINK),
    preview_url=or_none(LINK),
    remote_url=or_none(LINK),
    meta={"type": ["object", "null"]},
    description=or_none(told(TEXT, "What is on it, in words.")),
    blurhash=or_none(TEXT),
)
POLL = entity(
    id=ID,
    expires_at=or_none(MOMENT),
    expired=FLAG,
    multiple=FLAG,
    votes_count=NUMBER,
    voters_count=or_none(told(NUMBER, "Null before you voted.")),
    options=many(entity(title=TEXT, votes_count=or_none(NUMBER))),
    emojis=many(ANYTHING),
    voted=FLAG,
    own_votes=many(NUMBER),
)
MENTION = entity(id=ID, username=TEXT, acct=TEXT, url=LINK)
TAG = entity({"id": TEXT, "history": many(ANYTHING), "following": FLAG}, name=TEXT, url=LINK)
STATUS = entity(
    {
        "favourited": told(FLAG, "With a token."),
        "reblogged": told(FLAG, "With a token."),
        "bookmarked": told(FLAG, "With a token; true only of one post and among the saved ones."),
        "muted": FLAG,
        "pinned": FLAG,
        "text": told(TEXT, "What was typed, of a post that was just deleted."),
    },
    id=told(ID, "52 characters that sort by time."),
    created_at=MOMENT,
    edited_at=or_none(MOMENT),
    in_reply_to_id=or_none(ID),
    in_reply_to_account_id=or_none(ID),
    sensitive=FLAG,
    spoiler_text=told(TEXT, "The content warning."),
    visibility=one_of("public", "private"),
    language=or_none(TEXT),
    uri=LINK,
    url=LINK,
    replies_count=NUMBER,
    reblogs_count=NUMBER,
    favourites_count=NUMBER,
    quotes_count=NUMBER,
    content=HTML,
    filtered=told(many(ANYTHING), "The muted word for which pages fold it."),
    reblog=or_none(the("Status")),
    application=ANYTHING,
    account=the("Account"),
    media_attachments=many(the("MediaAttachment")),
    mentions=many(the("Mention")),
    tags=many(the("Tag")),
    emojis=many(ANYTHING),
    card=ANYTHING,
    poll=or_none(the("Poll")),
    quote=or_none(
        {
            "type": "object",
            "properties": {"state": TEXT, "quoted_status": or_none(the("Status"))},
        }
    ),
    quote_approval=entity(
        automatic=many(TEXT),
        manual=many(TEXT),
        current_user=told(TEXT, "`automatic` if you may quote it, else `denied`."),
    ),
    audience=told(
        TEXT, f"{OURS} Who can see it: everyone, followers, friends, a circle, or only you."
    ),
    expires_at=or_none(told(MOMENT, f"{OURS} When it disappears.")),
    imported_from=or_none(
        told(TEXT, f"{OURS} From where its author brought it, such as `mastodon`.")
    ),
    replies=told(TEXT, f"{OURS} Who may reply."),
)
NOTIFICATION = entity(
    id=ID,
    type=one_of(
        "favourite", "reblog", "mention", "status", "poll", "follow", "follow_request", "update"
    ),
    created_at=MOMENT,
    group_key=TEXT,
    account=the("Account"),
    status=or_none(the("Status")),
    people=told(NUMBER, f"{OURS} How many people the line is about; `account` is the first."),
    unread=told(FLAG, OURS),
)
RELATIONSHIP = entity(
    id=ID,
    following=FLAG,
    followed_by=FLAG,
    showing_reblogs=FLAG,
    notifying=told(FLAG, "Whether you are told of each post."),
    languages=ANYTHING,
    requested=FLAG,
    requested_by=FLAG,
    blocking=FLAG,
    blocked_by=told(FLAG, "Never true: somebody who blocks you is not found."),
    muting=FLAG,
    muting_notifications=FLAG,
    mute_expires_at=or_none(TEXT),
    domain_blocking=FLAG,
    endorsed=FLAG,
    note=TEXT,
    friend=told(FLAG, OURS),
    favourite=told(FLAG, OURS),
)
STATUS_SOURCE = entity(id=ID, text=told(TEXT, "What was typed."), spoiler_text=TEXT)
STATUS_EDIT = entity(
    content=HTML,
    spoiler_text=TEXT,
    sensitive=FLAG,
    created_at=MOMENT,
    account=the("Account"),
    media_attachments=many(the("MediaAttachment")),
    poll=ANYTHING,
    emojis=many(ANYTHING),
)
SCHEDULED = entity(
    id=told(ID, "Another moment is another id."),
    scheduled_at=MOMENT,
    params={"type": "object"},
    media_attachments=many(the("MediaAttachment")),
)
LIST = entity(
    id=ID,
    title=TEXT,
    replies_policy=TEXT,
    exclusive=told(FLAG, "Whether its people stay out of home."),
    pack=told(FLAG, f"{OURS} Whether everyone can see the people in it."),
)
RULE = entity(id=ID, text=TEXT, hint=TEXT)
INSTANCE = entity(
    domain=TEXT,
    title=TEXT,
    version=told(TEXT, "Whose API this is: that of Mastodon 4.3."),
    api_versions={"type": "object"},
    source_url=TEXT,
    description=TEXT,
    usage={"type": "object"},
    thumbnail={"type": "object"},
    icon=many(ANYTHING),
    languages=many(TEXT),
    configuration={"type": "object"},
    registrations={"type": "object"},
    contact={"type": "object"},
    rules=many(the("Rule")),
)
OLDER_INSTANCE = entity(
    uri=TEXT, title=TEXT, version=TEXT, configuration={"type": "object"}, rules=many(the("Rule"))
)

ENTITIES: dict[str, Schema] = {
    "Account": ACCOUNT,
    "CredentialAccount": OWN_ACCOUNT,
    "MediaAttachment": PHOTO,
    "Poll": POLL,
    "Mention": MENTION,
    "Tag": TAG,
    "List": LIST,
    "StatusSource": STATUS_SOURCE,
    "StatusEdit": STATUS_EDIT,
    "ScheduledStatus": SCHEDULED,
    "Status": STATUS,
    "Context": entity(ancestors=many(the("Status")), descendants=many(the("Status"))),
    "Notification": NOTIFICATION,
    "Relationship": RELATIONSHIP,
    "Search": entity(
        accounts=many(the("Account")), statuses=many(the("Status")), hashtags=many(the("Tag"))
    ),
    "Rule": RULE,
    "Instance": INSTANCE,
    "InstanceV1": OLDER_INSTANCE,
    "Application": entity(name=TEXT, website=or_none(LINK), scopes=many(TEXT)),
    "CredentialApplication": entity(
        id=ID,
        name=TEXT,
        website=or_none(LINK),
        scopes=many(TEXT),
        redirect_uris=many(TEXT),
        client_id=TEXT,
        client_secret=TEXT,
    ),
    "WebPushSubscription": entity(
        id=ID,
        endpoint=LINK,
        standard=told(FLAG, "Always: as in RFC 8291."),
        alerts={"type": "object", "additionalProperties": FLAG},
        policy=one_of("all", "followed", "follower", "none"),
        server_key=TEXT,
    ),
    "Error": entity({"error_description": TEXT}, error=told(TEXT, "What is wrong.")),
}
