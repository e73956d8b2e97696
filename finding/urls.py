"""The address of the search."""

from django.urls import path

from finding import views

app_name = "finding"

urlpatterns = [path("search", views.search, name="search")]
