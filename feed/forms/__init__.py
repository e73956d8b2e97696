"""What people type into posts, a file for each part of the composer; `posts.py` puts them together."""
