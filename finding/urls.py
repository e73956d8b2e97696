"""The addresses of the search in public posts."""

from django.urls import path

from finding import views

app_name = "finding"

urlpatterns = [path("search/posts", views.posts, name="search_posts")]
