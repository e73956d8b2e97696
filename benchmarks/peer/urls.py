"""The addresses of the comparison, beside the site's own."""

from django.urls import path

from benchmarks.peer.pages import home
from socialsite.urls import urlpatterns as site

urlpatterns = [path("<str:way>/by/<str:engine>", home), *site]
