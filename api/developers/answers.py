"""What the code of an address does not say by itself: which entity answers, and words about it."""

from api.developers.entities import Schema, many, the

# By method and address. Of the others it is only told that they answer with JSON.
ANSWERS: dict[str, Schema] = {
    "POST /api/v1/apps": the("CredentialApplication"),
    "GET /api/v1/apps/verify_credentials": the("Application"),
    "GET /api/v2/instance": the("Instance"),
    "GET /api/v1/instance": the("InstanceV1"),
    "GET /api/v1/instance/rules": many(the("Rule")),
    "GET /api/v1/accounts/verify_credentials": the("CredentialAccount"),
    "GET /api/v1/accounts/lookup": the("Account"),
    "GET /api/v1/accounts/search": many(the("Account")),
    "GET /api/v1/accounts/relationships": many(the("Relationship")),
    "GET /api/v1/accounts/{id}": the("Account"),
    "GET /api/v1/accounts/{id}/statuses": many(the("Status")),
    "GET /api/v1/accounts/{id}/followers": many(the("Account")),
    "GET /api/v1/accounts/{id}/following": many(the("Account")),
    "GET /api/v1/blocks": many(the("Account")),
    "GET /api/v1/mutes": many(the("Account")),
    "GET /api/v1/follow_requests": many(the("Account")),
    "GET /api/v1/timelines/home": many(the("Status")),
    "GET /api/v1/timelines/public": many(the("Status")),
    "GET /api/v1/timelines/tag/{tag}": many(the("Status")),
    "GET /api/v1/favourites": many(the("Status")),
    "GET /api/v1/bookmarks": many(the("Status")),
    "GET /api/v1/followed_tags": many(the("Tag")),
    "GET /api/v1/statuses/{id}": the("Status"),
    "DELETE /api/v1/statuses/{id}": the("Status"),
    "GET /api/v1/statuses/{id}/context": the("Context"),
    "GET /api/v1/statuses/{id}/favourited_by": many(the("Account")),
    "GET /api/v1/statuses/{id}/reblogged_by": many(the("Account")),
    "GET /api/v1/notifications": many(the("Notification")),
    "GET /api/v2/search": the("Search"),
}
# By how it begins: buttons answer with what they changed.
BUTTONS: dict[str, Schema] = {
    "POST /api/v1/statuses/{id}/": the("Status"),
    "POST /api/v1/accounts/{id}/": the("Relationship"),
    "POST /api/v1/follow_requests/{id}/": the("Relationship"),
}

# In place of what the docstring says to people who read the code.
SUMMARIES: dict[str, str] = {
    "GET /api/v1/instance": "What the site is and can do, in the older form.",
    "GET /api/v2/instance": "What the site is and can do.",
    "GET /api/v1/instance/rules": "The rules of the site.",
    "GET /api/v1/preferences": "How the person writes and reads.",
    "GET /api/v1/accounts/verify_credentials": "The person for whom the token acts.",
    "GET /api/v1/accounts/{id}": "A person.",
    "POST /api/v1/accounts/{id}/block": "Blocks a person.",
    "POST /api/v1/accounts/{id}/unblock": "Unblocks a person.",
    "POST /api/v1/accounts/{id}/unmute": "Unmutes a person.",
    "POST /api/v1/accounts/{id}/mute": "Mutes a person, for `duration` seconds or until further notice.",
    "GET /api/v1/blocks": "People whom you block.",
    "GET /api/v1/mutes": "People whom you mute.",
    "GET /api/v1/follow_requests": "People who ask to follow you.",
    "POST /api/v1/follow_requests/{id}/authorize": "Lets a person follow you.",
    "POST /api/v1/follow_requests/{id}/reject": "Doesn’t let a person follow you.",
    "GET /api/v1/timelines/tag/{tag}": "Posts with a tag, newest first.",
    "GET /api/v1/timelines/public": "Posts for everyone, newest first.",
    "POST /api/v1/statuses/{id}/favourite": "Likes a post.",
    "POST /api/v1/statuses/{id}/unfavourite": "Takes the like back.",
    "POST /api/v1/statuses/{id}/unreblog": "Takes the repost back.",
    "POST /api/v1/statuses/{id}/unbookmark": "Removes a post from the saved ones.",
    "POST /api/v1/statuses/{id}/unpin": "Takes a post from the top of your page.",
    "GET /api/v1/statuses/{id}/favourited_by": "People who like a post.",
    "GET /api/v1/statuses/{id}/reblogged_by": "People who reposted a post.",
    "GET /.well-known/nodeinfo": "Where it stands which software this is.",
    "GET /api/v1/accounts/{id}/followers": "People who follow someone.",
    "GET /api/v1/accounts/{id}/following": "People whom someone follows.",
    "GET /api/v1/timelines/home": "What the people whom you follow post, newest first.",
    "POST /api/v1/statuses": "Publishes a post or an answer. `Idempotency-Key` makes sending it twice harmless.",
    "GET /api/v1/statuses/{id}": "A post.",
    "GET /api/v1/notifications": "What you were told, newest first. Reading it marks nothing as read.",
    "GET /api/v2/notifications": "What you were told, in groups.",
    "GET /api/v1/markers": "How far you read: always empty, as the site opens at the newest.",
    "POST /api/v1/markers": "Marks notifications as read.",
    "POST /oauth/token": "A token for a code, or one for the app alone.",
    "POST /oauth/revoke": "Ends a token.",
    "GET /nodeinfo/2.0": "Which software it is.",
}

# Scopes of views that ask for several.
SCOPES: dict[str, str] = {"GET /api/v1/accounts/verify_credentials": "profile"}

# What Authlib reads, and what a form of ours reads by its fields.
READ_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "POST /api/v1/apps": ("client_name", "website"),
    "POST /oauth/token": (
        "grant_type", "client_id", "client_secret", "redirect_uri", "code", "code_verifier", "scope",
    ),
    "POST /oauth/revoke": ("token", "client_id", "client_secret"),
    "POST /api/v1/markers": ("notifications[last_read_id]",),
}  # fmt: skip

# What a parameter means, wherever it stands.
PARAMETERS: dict[str, str] = {
    "limit": "How many at most; a page has 20.",
    "max_id": "What comes after this one. Take it from `Link`.",
    "min_id": "What comes before this one. Take it from `Link`.",
    "since_id": "Nothing that is as old as this one, or older.",
    "status": "The text, at most 1,000 characters.",
    "spoiler_text": "A content warning: the post is folded behind it.",
    "language": "The language of the text, such as `de`.",
    "visibility": "`public` or `private` (followers). Nothing else: a wider audience is never taken.",
    "audience": "Our own, in place of `visibility`: `everyone`, `followers`, `friends`, `me`, or `circle:` and its id.",
    "replies": "Our own: who may reply, as in the composer.",
    "expires_in": "Our own: when the post disappears, as in the composer.",
    "in_reply_to_id": "The post that this one answers.",
    "acct": "A handle.",
    "q": "What to look for.",
    "type": "`accounts`, `statuses` or `hashtags` alone.",
    "duration": "For how many seconds; without it, until you end it.",
}

GROUPS: dict[str, str] = {
    "apps": "Signing in",
    "oauth": "Signing in",
    ".well-known": "Signing in",
    "nodeinfo": "The site",
    "instance": "The site",
    "preferences": "The site",
    "push": "The site",
    "accounts": "People",
    "blocks": "People",
    "mutes": "People",
    "follow_requests": "People",
    "profile": "People",
    "timelines": "Lists of posts",
    "favourites": "Lists of posts",
    "bookmarks": "Lists of posts",
    "followed_tags": "Lists of posts",
    "tags": "Lists of posts",
    "lists": "Lists of posts",
    "statuses": "Posts",
    "media": "Posts",
    "polls": "Posts",
    "scheduled_statuses": "Posts",
    "notifications": "Notifications",
    "markers": "Notifications",
    "streaming": "Notifications",
    "search": "Search",
}
EMPTY = "Empty lists, which clients ask for"
