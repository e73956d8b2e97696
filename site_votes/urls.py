"""The addresses of site votes."""

from django.urls import path

from site_votes import views

app_name = "site_votes"

urlpatterns = [
    path("votes", views.site_votes, name="site_votes"),
    path("votes/<id:vote_id>", views.site_vote, name="site_vote"),
    path("votes/<id:vote_id>/vote", views.vote, name="vote_of_site"),
    path("moderation/votes", views.ask, name="ask_site"),
    path("moderation/votes/<id:vote_id>/end", views.end, name="end_site_vote"),
]
