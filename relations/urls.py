"""The addresses of relationships."""

from django.urls import path

from relations import views
from relations.blocks import views as blocks
from relations.follows import views as follows
from relations.friends import views as friends
from relations.lists import pack_views as packs
from relations.lists import views as lists
from relations.muted_words import views as muted_words
from relations.own_choices import views as own_choices
from socialsite.web import converters  # noqa: F401 - registers <handle:…>

app_name = "relations"

urlpatterns = [
    # your own people and settings
    path("settings/privacy", follows.privacy, name="privacy"),
    path("settings/blocks", blocks.blocks, name="blocks"),
    path("settings/muted-words", muted_words.muted_words, name="muted_words"),
    path("settings/muted-words/remove", muted_words.unmute, name="unmute_word"),
    path("settings/data", views.data, name="data"),
    path("settings/data/<slug:kind>.csv", views.export_relations, name="export"),
    path("friends", friends.friends, name="friends"),
    path("circles", friends.circles, name="circles"),
    path("circles/rename", friends.rename_circle, name="rename_circle"),
    path("circles/delete", friends.delete_circle, name="delete_circle"),
    path("requests", follows.requests, name="requests"),
    # lists and starter packs
    path("lists", lists.lists, name="lists"),
    path("lists/packs", packs.packs_with, name="packs_with"),
    path("lists/<id:list_id>/people", lists.list_people, name="list_people"),
    path("lists/<id:list_id>/people/remove", lists.remove_from_list, name="remove_from_list"),
    path("lists/<id:list_id>/edit", lists.edit_list, name="edit_list"),
    path("lists/<id:list_id>/delete", lists.delete_list, name="delete_list"),
    path("lists/<id:list_id>/pack", packs.offer, name="offer_pack"),
    path("@<handle:handle>/packs/<id:list_id>", packs.pack, name="pack"),
    path("@<handle:handle>/packs/<id:list_id>/follow", packs.follow_all, name="follow_pack"),
    path("@<handle:handle>/packs/<id:list_id>/leave", packs.leave, name="leave_pack"),
    # a person
    path("@<handle:handle>/follow", follows.follow, name="follow"),
    path("@<handle:handle>/followers", follows.followers, name="followers"),
    path("@<handle:handle>/following", follows.following, name="following"),
    path("@<handle:handle>/remove-follower", follows.remove_follower, name="remove_follower"),
    path("@<handle:handle>/follow-request", follows.follow_request, name="follow_request"),
    path("@<handle:handle>/friend", friends.friend, name="friend"),
    path("@<handle:handle>/favourite", own_choices.favourite, name="favourite"),
    path("@<handle:handle>/subscribe", own_choices.subscribe, name="subscribe"),
    path("@<handle:handle>/mute", blocks.mute, name="mute"),
    path("@<handle:handle>/hide-reposts", own_choices.hide_reposts, name="hide_reposts"),
    path("@<handle:handle>/block", blocks.block, name="block"),
    path("@<handle:handle>/lists", lists.person_lists, name="person_lists"),
    path("@<handle:handle>/circles", friends.friend_circles, name="friend_circles"),
]
