"""The addresses of posts and timelines."""

from django.urls import path

from feed.composing import views as composing
from feed.explore import views as explore
from feed.for_you import views as for_you
from feed.home import views as home
from feed.likes import views as likes
from feed.lists import views as lists
from feed.muted_words import views as muted_words
from feed.polls import views as polls
from feed.profiles import views as profiles
from feed.publishing import views as publishing
from feed.saved import views as saved
from feed.sharing import views as sharing
from feed.threads import views as threads
from socialsite.web import converters  # noqa: F401 - registers <handle:…> and <id:…>

app_name = "feed"

urlpatterns = [
    # timelines
    path("", home.home, name="home"),
    path("new", home.new_posts, name="new_posts"),
    path("favourites", home.favourites, name="favourites"),
    path("local", home.local, name="local"),
    path("lists/<id:list_id>", lists.list_timeline, name="list_timeline"),
    # finding people
    path("explore", explore.explore, name="explore"),
    path("explore/people", explore.people, name="explore_people"),
    path("explore/posts", for_you.posts_for_you, name="posts_for_you"),
    path("people-to-follow", home.people_to_follow, name="people_to_follow"),
    path(
        "people-to-follow/<handle:handle>/dismiss",
        home.dismiss,
        name="dismiss_suggestion",
    ),
    path("welcome", home.welcome, name="welcome"),
    path("welcome/progress", home.progress, name="welcome_progress"),
    # a person's posts
    path("@<handle:handle>", profiles.profile, name="profile"),
    path("@<handle:handle>/card", profiles.card, name="card"),
    path("@<handle:handle>/feed.atom", profiles.atom, name="atom"),
    path("@<handle:handle>/replies", profiles.replies, name="replies"),
    path("@<handle:handle>/media", profiles.media, name="profile_media"),
    path("@<handle:handle>/likes", profiles.liked, name="liked"),
    # a post
    path("posts", composing.publish, name="publish"),
    path("posts/new", composing.compose, name="compose"),
    path("posts/photos", composing.arrange, name="arrange_photos"),
    path("@<handle:handle>/posts/<id:post_id>", threads.show, name="post"),
    path("@<handle:handle>/posts/<id:post_id>/photos/<int:number>", threads.photo, name="photo"),
    path(
        "@<handle:handle>/posts/<id:post_id>/descriptions",
        publishing.describe,
        name="describe_photos",
    ),
    path("@<handle:handle>/posts/<id:post_id>/delete", publishing.delete, name="delete"),
    path("@<handle:handle>/posts/<id:post_id>/edit", publishing.edit, name="edit"),
    path("@<handle:handle>/posts/<id:post_id>/history", publishing.history, name="history"),
    path("@<handle:handle>/posts/<id:post_id>/pin", publishing.pin, name="pin"),
    path("@<handle:handle>/posts/<id:post_id>/reply", threads.reply, name="reply"),
    path("@<handle:handle>/posts/<id:post_id>/replies", threads.choose, name="choose_replies"),
    path(
        "@<handle:handle>/posts/<id:post_id>/audience",
        publishing.change,
        name="change_audience",
    ),
    path("@<handle:handle>/posts/<id:post_id>/leave", threads.leave, name="leave"),
    path("@<handle:handle>/posts/<id:post_id>/hide", threads.hide, name="hide_reply"),
    path("@<handle:handle>/posts/<id:post_id>/save", saved.save, name="save_post"),
    path(
        "@<handle:handle>/posts/<id:post_id>/mute-words",
        muted_words.mute_words,
        name="mute_words",
    ),
    path("settings/privacy/past-posts", publishing.limit, name="limit_past_posts"),
    # not published yet
    path("drafts", composing.drafts, name="drafts"),
    path("drafts/<id:draft_id>/delete", composing.discard_draft, name="delete_draft"),
    path("scheduled", composing.scheduled, name="scheduled"),
    path("scheduled/<str:slot>/publish", composing.publish_now, name="publish_scheduled"),
    path("scheduled/<str:slot>/delete", composing.discard_scheduled, name="delete_scheduled"),
    # saved posts
    path("saved", saved.saved, name="saved"),
    path("saved/<id:post_id>/remove", saved.remove, name="remove_saved"),
    path("saved/folder/rename", saved.rename_folder, name="rename_folder"),
    path("saved/folder/delete", saved.delete_folder, name="delete_folder"),
    # quotes, votes, likes and reposts of a post
    path("@<handle:handle>/posts/<id:post_id>/quote", sharing.quote, name="quote"),
    path("@<handle:handle>/posts/<id:post_id>/quotes", sharing.quotes, name="quotes"),
    path("@<handle:handle>/posts/<id:post_id>/withdraw", sharing.withdraw, name="withdraw_quote"),
    path("@<handle:handle>/posts/<id:post_id>/repost", sharing.repost, name="repost"),
    path("@<handle:handle>/posts/<id:post_id>/reposters", sharing.reposters, name="reposters"),
    path("@<handle:handle>/posts/<id:post_id>/vote", polls.vote, name="vote"),
    path("@<handle:handle>/posts/<id:post_id>/like", likes.like, name="like"),
    path("@<handle:handle>/posts/<id:post_id>/likers", likes.likers, name="likers"),
]
