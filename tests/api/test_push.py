"""Mastodon.py, unchanged, subscribes to push and reads what comes."""

import json
from datetime import timedelta

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

from relations.follows.writes import follow
from socialsite.clock import utc_now
from tests.notifications.push.services import new_pusher, running_service


def test_it_subscribes_and_reads_a_push(alice, bob, mastodon, drain_stream):
    pusher = new_pusher()
    with running_service() as service:
        client = mastodon(alice)
        private, public = client.push_subscription_generate_keys()
        endpoint = f"{service.origin}/ok/alice"
        made = client.push_subscription_set(
            endpoint, public, follow_events=True, mention_events=True
        )
        assert (made.endpoint, made.alerts.follow, made.alerts.favourite) == (endpoint, True, False)
        assert client.push_subscription().id == made.id
        follow(by=bob, user_id=alice.user_id)
        drain_stream()
        pusher.look(utc_now() + timedelta(minutes=1))
        pusher.finish()
        (got,) = service.got
        text = http_ece.decrypt(
            got.body,
            private_key=ec.derive_private_key(private["privkey"], ec.SECP256R1()),
            auth_secret=private["auth"],
            version="aes128gcm",
        )
        assert json.loads(text)["notification_type"] == "follow"
        assert client.push_subscription_update(follow_events=False).alerts.follow is False
        client.push_subscription_delete()
