"""What people may do at the addresses of the API with the cookies of their browser: what visitors may, whoever they
are. Rows as in `tests/web/authorisation.py`, with a letter more:

    t  a token first (401)

What tokens open is in `test_signing_in.py` and `test_who_sees_what.py`.
"""

from tests.web.authorisation import EVERYONE, NOBODY, Row, get, post

TOKEN = "tttttttttt"
# The page that asks is one of the site; here it is asked by no app.
BY_NO_APP = "ibbbbbbbbb"
POST = "/api/v1/statuses/{post}{alice}"
ALICE = "/api/v1/accounts/{alice}"
REQUEST = "/api/v1/follow_requests/{alice}"

API_ROWS: list[Row] = [
    get("metadata", "/.well-known/oauth-authorization-server", EVERYONE),
    post("register", "/api/v1/apps", EVERYONE, client_name="x"),
    get("verify_app", "/api/v1/apps/verify_credentials", TOKEN),
    get("authorize", "/oauth/authorize", BY_NO_APP),
    post("authorize", "/oauth/authorize", BY_NO_APP, allow="1"),
    post("token", "/oauth/token", "bbbbbbbbbb", grant_type="password"),
    post("revoke", "/oauth/revoke", TOKEN, token="x"),
    get("nodeinfo", "/.well-known/nodeinfo", EVERYONE),
    get("nodeinfo_2", "/nodeinfo/2.0", EVERYONE),
    get("instance", "/api/v2/instance", EVERYONE),
    get("older_instance", "/api/v1/instance", EVERYONE),
    get("rules_of_site", "/api/v1/instance/rules", EVERYONE),
    get("client_preferences", "/api/v1/preferences", TOKEN),
    get("no_push", "/api/v1/push/subscription", TOKEN),
    get("verify_credentials", "/api/v1/accounts/verify_credentials", TOKEN),
    get("lookup", "/api/v1/accounts/lookup?acct=alice", EVERYONE),
    get("search_accounts", "/api/v1/accounts/search?q=a", TOKEN),
    get("relationships", "/api/v1/accounts/relationships?id={alice}", TOKEN),
    get("account", ALICE, EVERYONE),
    get("account_statuses", f"{ALICE}/statuses", EVERYONE),
    get("account_followers", f"{ALICE}/followers", EVERYONE),
    get("account_following", f"{ALICE}/following", EVERYONE),
    post("follow_account", f"{ALICE}/follow", TOKEN),
    post("unfollow_account", f"{ALICE}/unfollow", TOKEN),
    post("block_account", f"{ALICE}/block", TOKEN),
    post("unblock_account", f"{ALICE}/unblock", TOKEN),
    post("mute_account", f"{ALICE}/mute", TOKEN),
    post("unmute_account", f"{ALICE}/unmute", TOKEN),
    get("blocks_of_person", "/api/v1/blocks", TOKEN),
    get("mutes_of_person", "/api/v1/mutes", TOKEN),
    get("follow_requests", "/api/v1/follow_requests", TOKEN),
    post("accept_follow_request", f"{REQUEST}/authorize", TOKEN),
    post("decline_follow_request", f"{REQUEST}/reject", TOKEN),
    get("followed_tags_of_person", "/api/v1/followed_tags", TOKEN),
    get("home_timeline", "/api/v1/timelines/home", TOKEN),
    get("public_timeline", "/api/v1/timelines/public", EVERYONE),
    get("tag_timeline", "/api/v1/timelines/tag/cats", EVERYONE),
    get("favourites_of_person", "/api/v1/favourites", TOKEN),
    get("bookmarks", "/api/v1/bookmarks", TOKEN),
    post("publish_status", "/api/v1/statuses", TOKEN, status="Hello"),
    get("status_of_client", POST, EVERYONE),
    get("status_of_client", POST, NOBODY, "followers"),
    get("status_context", f"{POST}/context", EVERYONE),
    get("status_context", f"{POST}/context", NOBODY, "friends"),
    post("favourite", f"{POST}/favourite", TOKEN),
    post("unfavourite", f"{POST}/unfavourite", TOKEN),
    post("reblog", f"{POST}/reblog", TOKEN),
    post("unreblog", f"{POST}/unreblog", TOKEN),
    post("bookmark", f"{POST}/bookmark", TOKEN),
    post("unbookmark", f"{POST}/unbookmark", TOKEN),
    post("pin_status", f"{POST}/pin", TOKEN),
    post("unpin_status", f"{POST}/unpin", TOKEN),
    get("favourited_by", f"{POST}/favourited_by", EVERYONE),
    get("reblogged_by", f"{POST}/reblogged_by", EVERYONE),
    get("client_notifications", "/api/v1/notifications", TOKEN),
    get("grouped_notifications", "/api/v2/notifications", TOKEN),
    get("unread_count", "/api/v1/notifications/unread_count", TOKEN),
    post("clear_notifications", "/api/v1/notifications/clear", TOKEN),
    post("dismiss_notification", "/api/v1/notifications/x/dismiss", TOKEN),
    get("markers", "/api/v1/markers", TOKEN),
    get("search_of_client", "/api/v2/search?q=a", EVERYONE),
    get("openapi", "/api/openapi.json", EVERYONE),
    get("developers", "/developers", EVERYONE),
    get("empty_list", "/api/v1/custom_emojis", EVERYONE),
    get("empty_newer_list", "/api/v2/filters", EVERYONE),
    get("no_such_address_of_api", "/api/v1/nothing", NOBODY),
]
