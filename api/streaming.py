"""What the process that holds streams asks the site about one."""

from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, Refusal, endpoint
from feed.timelines.big_authors import heard_at
from socialsite.news import News, watch
from socialsite.table import NotFound

HOME, INBOX = "read:statuses", "read:notifications"
NEEDED = {"user": HOME, "user:notification": INBOX}
EVENTS = {HOME: "update", INBOX: "notification"}


@endpoint()
def watching(request: ApiRequest) -> Any:
    """Says whether a token may listen to a `stream`, which events it then gets, and what is watched for its home
    beside what is its person's own: the authors whose posts no timeline gets. No call beside that of the token."""
    needed = NEEDED.get(request.sent.get("stream", "user"))
    if needed is None:
        raise NotFound("no such stream")
    if not request.access.may(needed):
        raise Refusal(403, _("This action is outside the authorized scopes"))
    user = request.user
    events = [word for scope, word in EVENTS.items() if request.access.may(scope)]
    heard = (heard_at(one, follows=True) for one in user.pulled) if "update" in events else ()
    return {"events": events, "watch": watch(user.user_id, News.POSTS, heard)}
