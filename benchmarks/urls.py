"""The site's own addresses, and beside them the naive page and the one of the frozen templates."""

from django.urls import path

from benchmarks import naive, plain
from socialsite.urls import urlpatterns as site

urlpatterns = [path("naive", naive.home), path("plain", plain.home), *site]
