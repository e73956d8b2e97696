"""Explore: posts that people like today, people to follow, new people, and the topics of now."""
