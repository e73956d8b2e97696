"""Blocking and muting people, the lists of both, requests to follow, and a private note about a friend."""
