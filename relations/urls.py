"""The addresses of relationships."""

from django.urls import path

from relations.views import (
    block,
    circles,
    export_relations,
    favourite,
    follow,
    friend,
    friends,
    hide_reposts,
    mute,
    privacy,
    requests,
    subscribe,
)
from socialsite.web import converters  # noqa: F401 - registers <handle:…>

app_name = "relations"

urlpatterns = [
    # your own people and settings
    path("settings/privacy", privacy.privacy, name="privacy"),
    path("settings/blocks", privacy.blocks, name="blocks"),
    path("settings/data", export_relations.data, name="data"),
    path("settings/data/<slug:kind>.csv", export_relations.export_relations, name="export"),
    path("friends", friends.friends, name="friends"),
    path("circles", circles.circles, name="circles"),
    path("circles/rename", circles.rename_circle, name="rename_circle"),
    path("circles/delete", circles.delete_circle, name="delete_circle"),
    path("requests", requests.requests, name="requests"),
    # a person
    path("@<handle:handle>/follow", follow.follow, name="follow"),
    path("@<handle:handle>/followers", follow.followers, name="followers"),
    path("@<handle:handle>/following", follow.following, name="following"),
    path("@<handle:handle>/remove-follower", follow.remove_follower, name="remove_follower"),
    path("@<handle:handle>/follow-request", requests.follow_request, name="follow_request"),
    path("@<handle:handle>/friend", friend.friend, name="friend"),
    path("@<handle:handle>/favourite", favourite.favourite, name="favourite"),
    path("@<handle:handle>/subscribe", subscribe.subscribe, name="subscribe"),
    path("@<handle:handle>/mute", mute.mute, name="mute"),
    path("@<handle:handle>/hide-reposts", hide_reposts.hide_reposts, name="hide_reposts"),
    path("@<handle:handle>/block", block.block, name="block"),
    path("@<handle:handle>/circles", circles.friend_circles, name="friend_circles"),
]
