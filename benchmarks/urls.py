"""The site's own addresses, and the naive page beside them."""

from django.urls import path

from benchmarks.naive import home
from socialsite.urls import urlpatterns as site

urlpatterns = [path("naive", home), *site]
