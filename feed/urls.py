"""The addresses of posts and timelines."""

from django.urls import path

from feed.views import (
    atom,
    conversation,
    favourites,
    folders,
    local,
    people_to_follow,
    posts,
    profile,
    quotes,
    reply,
    save,
    saved,
    search,
    timeline,
    welcome,
)
from feed.views.composing import drafts, scheduled
from feed.views.own_post import (
    change_audience,
    choose_replies,
    delete,
    edit,
    history,
    limit_past_posts,
    pin,
)
from feed.views.photos import arrange, describe, photo
from feed.views.polls import vote
from feed.views.reactions import likes, reposts
from socialsite.web import converters  # noqa: F401 - registers <handle:…> and <id:…>

app_name = "feed"

urlpatterns = [
    # timelines
    path("", timeline.home, name="home"),
    path("new", timeline.new_posts, name="new_posts"),
    path("favourites", favourites.favourites, name="favourites"),
    path("local", local.local, name="local"),
    # finding people
    path("search", search.search, name="search"),
    path("explore", search.explore, name="explore"),
    path("people-to-follow", people_to_follow.people_to_follow, name="people_to_follow"),
    path(
        "people-to-follow/<handle:handle>/dismiss",
        people_to_follow.dismiss,
        name="dismiss_suggestion",
    ),
    path("welcome", welcome.welcome, name="welcome"),
    path("welcome/progress", welcome.progress, name="welcome_progress"),
    # a person's posts
    path("@<handle:handle>", profile.profile, name="profile"),
    path("@<handle:handle>/feed.atom", atom.atom, name="atom"),
    path("@<handle:handle>/replies", profile.replies, name="replies"),
    path("@<handle:handle>/media", profile.media, name="profile_media"),
    path("@<handle:handle>/likes", profile.liked, name="liked"),
    # a post
    path("posts", posts.publish, name="publish"),
    path("posts/new", posts.compose, name="compose"),
    path("posts/photos", arrange.arrange, name="arrange_photos"),
    path("@<handle:handle>/posts/<id:post_id>", posts.show, name="post"),
    path("@<handle:handle>/posts/<id:post_id>/photos/<int:number>", photo.photo, name="photo"),
    path(
        "@<handle:handle>/posts/<id:post_id>/descriptions",
        describe.describe,
        name="describe_photos",
    ),
    path("@<handle:handle>/posts/<id:post_id>/delete", delete.delete, name="delete"),
    path("@<handle:handle>/posts/<id:post_id>/edit", edit.edit, name="edit"),
    path("@<handle:handle>/posts/<id:post_id>/history", history.history, name="history"),
    path("@<handle:handle>/posts/<id:post_id>/pin", pin.pin, name="pin"),
    path("@<handle:handle>/posts/<id:post_id>/reply", reply.reply, name="reply"),
    path(
        "@<handle:handle>/posts/<id:post_id>/replies", choose_replies.choose, name="choose_replies"
    ),
    path(
        "@<handle:handle>/posts/<id:post_id>/audience",
        change_audience.change,
        name="change_audience",
    ),
    path("@<handle:handle>/posts/<id:post_id>/leave", conversation.leave, name="leave"),
    path("@<handle:handle>/posts/<id:post_id>/hide", conversation.hide, name="hide_reply"),
    path("@<handle:handle>/posts/<id:post_id>/save", save.save, name="save_post"),
    path("settings/privacy/past-posts", limit_past_posts.limit, name="limit_past_posts"),
    # not published yet
    path("drafts", drafts.drafts, name="drafts"),
    path("drafts/<id:draft_id>/delete", drafts.delete, name="delete_draft"),
    path("scheduled", scheduled.scheduled, name="scheduled"),
    path("scheduled/<str:slot>/publish", scheduled.publish, name="publish_scheduled"),
    path("scheduled/<str:slot>/delete", scheduled.delete, name="delete_scheduled"),
    # saved posts
    path("saved", saved.saved, name="saved"),
    path("saved/<id:post_id>/remove", saved.remove, name="remove_saved"),
    path("saved/folder/rename", folders.rename_folder, name="rename_folder"),
    path("saved/folder/delete", folders.delete_folder, name="delete_folder"),
    # quotes, votes, likes and reposts of a post
    path("@<handle:handle>/posts/<id:post_id>/quote", quotes.quote, name="quote"),
    path("@<handle:handle>/posts/<id:post_id>/quotes", quotes.quotes, name="quotes"),
    path("@<handle:handle>/posts/<id:post_id>/withdraw", quotes.withdraw, name="withdraw_quote"),
    path("@<handle:handle>/posts/<id:post_id>/repost", reposts.repost, name="repost"),
    path("@<handle:handle>/posts/<id:post_id>/reposters", reposts.reposters, name="reposters"),
    path("@<handle:handle>/posts/<id:post_id>/vote", vote.vote, name="vote"),
    path("@<handle:handle>/posts/<id:post_id>/like", likes.like, name="like"),
    path("@<handle:handle>/posts/<id:post_id>/likers", likes.likers, name="likers"),
]
