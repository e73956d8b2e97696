"""The addresses that clients call. Each answers with a slash at its end too, as some ask with one."""

from typing import Any

from django.urls import URLPattern, path, re_path

from api import (
    editing,
    filters,
    inbox,
    instance,
    lists,
    media,
    polls,
    profile,
    push,
    quotes,
    reports,
    scheduled,
    search,
    statuses,
    streaming,
    suggestions,
    tags,
    timelines,
)
from api.access import api, no_such_address
from api.composing import views as composing
from api.developers import views as developers
from api.oauth import views as oauth
from api.people import own_views as own_people
from api.people import related_views as related
from api.people import views as people
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bodies import takes_upload

app_name = "api"

STATUS = r"api/v1/statuses/(?P<name>[0-9A-Z]{52})"
PERSON = r"api/v1/accounts/(?P<user_id>[0-9A-Z]{26})"
LIST = r"api/v1/lists/(?P<list_id>[0-9A-Z]{26})"
LINE = r"(?P<place>[^/]{10,100})"
REQUEST = r"api/v1/follow_requests/(?P<user_id>[0-9A-Z]{26})"


def at(address: str, called: str, *, upload: int = 0, **views: Any) -> URLPattern:
    """Returns the pattern of an address. `upload` is how many bytes of files it takes."""
    view = api(**views)
    return re_path(f"^{address}/?$", takes_upload(upload)(view) if upload else view, name=called)


urlpatterns = [
    # signing in
    at(r"\.well-known/oauth-authorization-server", "metadata", GET=oauth.metadata),
    at(r"api/v1/apps", "register", POST=oauth.register),
    at(r"api/v1/apps/verify_credentials", "verify_app", GET=oauth.verify_app),
    re_path(r"^oauth/authorize/?$", oauth.authorize, name="authorize"),
    at(r"oauth/token", "token", POST=oauth.token),
    at(r"oauth/revoke", "revoke", POST=oauth.revoke),
    # the site
    at(r"\.well-known/nodeinfo", "nodeinfo", GET=instance.nodeinfo),
    at(r"nodeinfo/2\.0", "nodeinfo_2", GET=instance.nodeinfo_2),
    at(r"api/v2/instance", "instance", GET=instance.instance),
    at(r"api/v1/instance", "older_instance", GET=instance.older_instance),
    at(r"api/v1/instance/rules", "rules_of_site", GET=instance.rules_of_site),
    at(r"api/v1/preferences", "client_preferences", GET=instance.preferences),
    at(
        r"api/v1/push/subscription",
        "push_subscription",
        GET=push.subscription,
        POST=push.create,
        PUT=push.change,
        DELETE=push.delete,
    ),
    # people
    at(
        r"api/v1/accounts/verify_credentials",
        "verify_credentials",
        GET=people.verify_credentials,
    ),
    at(r"api/v1/accounts", "accounts_by_id", GET=people.several),
    at(r"api/v1/accounts/lookup", "lookup", GET=people.lookup),
    at(r"api/v1/accounts/search", "search_accounts", GET=people.search),
    at(r"api/v1/accounts/relationships", "relationships", GET=people.relationships),
    at(
        r"api/v1/accounts/familiar_followers",
        "familiar_followers",
        GET=people.familiar_followers,
    ),
    at(PERSON, "account", GET=people.account),
    at(f"{PERSON}/statuses", "account_statuses", GET=people.statuses),
    at(f"{PERSON}/followers", "account_followers", GET=people.followers),
    at(f"{PERSON}/following", "account_following", GET=people.following),
    at(f"{PERSON}/follow", "follow_account", POST=related.follow),
    at(f"{PERSON}/unfollow", "unfollow_account", POST=related.unfollow),
    at(f"{PERSON}/block", "block_account", POST=related.block),
    at(f"{PERSON}/unblock", "unblock_account", POST=related.unblock),
    at(f"{PERSON}/mute", "mute_account", POST=related.mute),
    at(f"{PERSON}/unmute", "unmute_account", POST=related.unmute),
    at(r"api/v1/blocks", "blocks_of_person", GET=own_people.blocks),
    at(r"api/v1/mutes", "mutes_of_person", GET=own_people.mutes),
    at(r"api/v1/follow_requests", "follow_requests", GET=own_people.requests),
    at(f"{REQUEST}/authorize", "accept_follow_request", POST=related.accept),
    at(f"{REQUEST}/reject", "decline_follow_request", POST=related.decline),
    # lists of posts
    at(r"api/v1/timelines/home", "home_timeline", GET=timelines.home),
    at(r"api/v1/timelines/public", "public_timeline", GET=timelines.public),
    at(r"api/v1/timelines/tag/(?P<tag>[^/]+)", "tag_timeline", GET=timelines.tagged),
    at(r"api/v1/followed_tags", "followed_tags_of_person", GET=timelines.followed_tags),
    at(r"api/v1/favourites", "favourites_of_person", GET=timelines.favourites),
    at(r"api/v1/bookmarks", "bookmarks", GET=timelines.bookmarks),
    # one post
    at(r"api/v1/statuses", "publish_status", GET=statuses.several, POST=composing.publish),
    at(
        STATUS,
        "status_of_client",
        GET=statuses.status,
        DELETE=statuses.delete,
        PUT=editing.edit,
    ),
    at(f"{STATUS}/context", "status_context", GET=statuses.context),
    at(f"{STATUS}/favourite", "favourite", POST=statuses.favourite),
    at(f"{STATUS}/unfavourite", "unfavourite", POST=statuses.unfavourite),
    at(f"{STATUS}/reblog", "reblog", POST=statuses.reblog),
    at(f"{STATUS}/unreblog", "unreblog", POST=statuses.unreblog),
    at(f"{STATUS}/bookmark", "bookmark", POST=statuses.bookmark),
    at(f"{STATUS}/unbookmark", "unbookmark", POST=statuses.unbookmark),
    at(f"{STATUS}/pin", "pin_status", POST=statuses.pin),
    at(f"{STATUS}/unpin", "unpin_status", POST=statuses.unpin),
    at(f"{STATUS}/quotes", "quotes_of_status", GET=quotes.quotes),
    at(f"{STATUS}/quotes/(?P<quoting>[0-9A-Z]{{52}})/revoke", "revoke_quote", POST=quotes.revoke),
    at(f"{STATUS}/interaction_policy", "who_quotes", PUT=quotes.interaction_policy),
    at(f"{STATUS}/favourited_by", "favourited_by", GET=statuses.favourited_by),
    at(f"{STATUS}/reblogged_by", "reblogged_by", GET=statuses.reblogged_by),
    # notifications
    at(r"api/v1/notifications", "client_notifications", GET=inbox.notifications),
    at(r"api/v2/notifications", "grouped_notifications", GET=inbox.grouped),
    at(r"api/v[12]/notifications/unread_count", "unread_count", GET=inbox.unread_count),
    at(r"api/v1/notifications/clear", "clear_notifications", POST=inbox.clear),
    at(
        r"api/v[12]/notifications/(?P<place>[^/]{1,100})/dismiss",
        "dismiss_notification",
        POST=inbox.dismiss,
    ),
    at(f"api/v1/notifications/{LINE}", "client_notification", GET=inbox.one),
    at(f"api/v2/notifications/{LINE}", "notification_group", GET=inbox.group),
    at(
        f"api/v2/notifications/{LINE}/accounts",
        "people_of_notification_group",
        GET=inbox.people_of_group,
    ),
    at(r"api/v1/markers", "markers", GET=inbox.markers, POST=inbox.mark),
    at(r"api/v2/search", "search_of_client", GET=search.search),
    at(r"api/v1/streaming/watching", "stream_watching", GET=streaming.watching),
    # what the API says of itself
    at(r"api/openapi\.json", "openapi", GET=developers.openapi),
    path("developers", developers.developers, name="developers"),
    # photos, polls, and what becomes of a post
    at(r"api/v2/media", "upload_media", upload=MOST_BYTES, POST=media.upload),
    at(r"api/v1/media", "older_upload_media", upload=MOST_BYTES, POST=media.upload),
    at(
        r"api/v1/media/(?P<photo_id>[0-9A-Z]{26})",
        "own_media",
        GET=media.attachment,
        PUT=media.describe,
    ),
    re_path(
        r"^api/photos/(?P<post>own|[0-9A-Z]{52})/(?P<photo_id>[0-9A-Z]{26})/"
        r"(?P<secret>[A-Za-z0-9_-]{22})/(?P<name>[0-9a-z.]{5,12})$",
        media.photo,
        name="photo_for_app",
    ),
    at(r"api/v1/polls/(?P<name>[0-9A-Z]{52})", "poll_of_client", GET=polls.poll),
    at(r"api/v1/polls/(?P<name>[0-9A-Z]{52})/votes", "vote_of_client", POST=polls.vote),
    at(f"{STATUS}/source", "status_source", GET=editing.source),
    at(f"{STATUS}/history", "status_history", GET=editing.history),
    at(r"api/v1/scheduled_statuses", "scheduled_statuses", GET=scheduled.scheduled),
    at(
        r"api/v1/scheduled_statuses/(?P<slot>[0-9A-Z-]{28,40})",
        "scheduled_status",
        GET=scheduled.one,
        PUT=scheduled.plan_anew,
        DELETE=scheduled.take_back,
    ),
    # the buttons between two people, and the profile
    at(f"{PERSON}/remove_from_followers", "remove_follower", POST=related.remove_follower),
    at(f"{PERSON}/note", "note_about_account", POST=related.note),
    at(
        r"api/v1/accounts/update_credentials",
        "update_credentials",
        upload=2 * MOST_BYTES,
        PATCH=profile.update,
    ),
    at(r"api/v1/profile/avatar", "own_avatar", DELETE=profile.remove_avatar),
    at(r"api/v1/profile/header", "own_header", DELETE=profile.remove_header),
    # lists, tags, what to look at, and telling the moderators
    at(r"api/v1/lists", "client_lists", GET=lists.lists, POST=lists.create),
    at(LIST, "client_list", GET=lists.one, PUT=lists.change, DELETE=lists.delete),
    at(
        f"{LIST}/accounts",
        "client_list_people",
        GET=lists.people,
        POST=lists.add,
        DELETE=lists.take_out,
    ),
    at(f"{PERSON}/lists", "lists_with_account", GET=lists.lists_with),
    at(
        r"api/v1/timelines/list/(?P<list_id>[0-9A-Z]{26})",
        "client_list_timeline",
        GET=lists.timeline,
    ),
    at(r"api/v1/tags/(?P<tag>[^/]+)", "client_tag", GET=tags.tag),
    at(r"api/v1/tags/(?P<tag>[^/]+)/follow", "follow_client_tag", POST=tags.follow),
    at(r"api/v1/tags/(?P<tag>[^/]+)/unfollow", "unfollow_client_tag", POST=tags.unfollow),
    at(r"api/v1/trends(?:/tags)?", "topics_of_client", GET=tags.topics),
    at(r"api/v1/trends/statuses", "liked_today", GET=tags.liked_today),
    at(r"api/v1/reports", "report_of_client", POST=reports.report),
    at(r"api/v2/suggestions", "suggestions", GET=suggestions.suggestions),
    at(r"api/v1/suggestions", "older_suggestions", GET=suggestions.older_suggestions),
    at(
        r"api/v1/suggestions/(?P<user_id>[0-9A-Z]{26})",
        "dismiss_client_suggestion",
        DELETE=suggestions.dismiss,
    ),
    at(r"api/v2/filters", "client_filters", GET=filters.filters, POST=filters.create),
    at(
        r"api/v2/filters/(?P<called>[\w-]{22})",
        "client_filter",
        GET=filters.one,
        PUT=filters.change,
        DELETE=filters.delete,
    ),
    # What clients ask at their start, and this site does not have or does not tell them yet.
    at(
        r"api/v1/(?:custom_emojis|announcements|filters|conversations|"
        r"endorsements|featured_tags|directory|domain_blocks|trends/links|"
        r"instance/peers|instance/activity|instance/domain_blocks)",
        "empty_list",
        GET=instance.nothing,
    ),
    at(
        f"{PERSON}/(?:featured_tags|endorsements)",
        "empty_list_of_account",
        GET=instance.nothing,
    ),
    re_path(r"^api/.*$", no_such_address, name="no_such_address_of_api"),
]
