"""The push subscription of an app: one for each token."""

from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, Sent, bearer, endpoint, refuse
from notifications.push.apps import (
    ALERTS,
    POLICIES,
    AppSubscription,
    Wanted,
    change_app_subscription,
    get_app_subscription,
    site_public_key,
    subscribe_app,
    unsubscribe_app,
)
from notifications.push.encryption import BadKeys
from notifications.push.services import LONGEST, UnknownService
from notifications.push.site_key import key_id_of
from notifications.push.views import TURNED_ON
from socialsite.web.limits import count_hits
from socialsite.web.preferences import language_of_page

LONGEST_KEY = 120


def _answer(subscription: AppSubscription) -> dict[str, Any]:
    wanted = subscription.wanted
    return {
        "id": subscription.device,
        "endpoint": subscription.endpoint,
        "standard": True,
        "alerts": {one: one in wanted.alerts for one in ALERTS},
        "policy": wanted.policy,
        "server_key": site_public_key(),
    }


def _wanted(sent: Sent) -> Wanted:
    """Returns what an app wants to hear of. Words that the site does not know are left out: it never hears of them."""
    policy = sent.get("data[policy]") or sent.get("policy") or POLICIES[0]
    if policy not in POLICIES:
        raise refuse(_("Validation failed: %(errors)s") % {"errors": f"policy: {POLICIES}"})
    return Wanted(tuple(one for one in ALERTS if sent.flag(f"data[alerts][{one}]")), policy)


@endpoint("push")
def subscription(request: ApiRequest) -> Any:
    """What the app is pushed to."""
    return _answer(get_app_subscription(request.user, request.access))


@endpoint("push")
def create(request: ApiRequest) -> Any:
    """Has the app pushed to, in place of what it asked for before: what waits is told as on the person's other devices,
    in their quiet hours later. Only push services that the site knows are asked (`PUSH_HOSTS`)."""
    sent, key = request.sent, site_public_key()
    if not key:
        raise refuse(_("This site sends no push at the moment."))
    names = ("endpoint", "keys[p256dh]", "keys[auth]")
    endpoint, p256dh, auth = (_part(sent, name) for name in names)
    if not endpoint or len(endpoint) > LONGEST or max(len(p256dh), len(auth)) > LONGEST_KEY:
        raise refuse(_("Validation failed: %(errors)s") % {"errors": "subscription"})
    wanted = _wanted(sent)
    count_hits((TURNED_ON, request.user.user_id))
    try:
        made = subscribe_app(
            by=request.user,
            access=request.access,
            token=bearer(request),
            endpoint=endpoint,
            p256dh=p256dh,
            auth=auth,
            wanted=wanted,
            key_id=key_id_of(key),
            language=language_of_page(),
        )
    except BadKeys as error:
        raise refuse(
            _("Validation failed: %(errors)s") % {"errors": "subscription[keys]"}
        ) from error
    except UnknownService as error:
        raise refuse(_("We don’t send to the push service of this app.")) from error
    return _answer(made)


def _part(sent: Sent, name: str) -> str:
    """Returns a part of the subscription, whose own parts stand in brackets."""
    outer, _bracket, inner = name.partition("[")
    return sent.get(f"subscription[{outer}]" + (f"[{inner}" if inner else ""))


@endpoint("push")
def change(request: ApiRequest) -> Any:
    """Changes of what the app is pushed to."""
    return _answer(
        change_app_subscription(
            by=request.user, access=request.access, wanted=_wanted(request.sent)
        )
    )


@endpoint("push")
def delete(request: ApiRequest) -> Any:
    """Has the app pushed to no more."""
    unsubscribe_app(by=request.user, access=request.access)
    return {}
