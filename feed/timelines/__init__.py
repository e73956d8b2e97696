"""Timelines: posts are fanned out to those who follow their author, but for widely followed authors, whose posts
readers merge in (`big_authors.py`). The page of the home timeline is in `feed/home/`."""
