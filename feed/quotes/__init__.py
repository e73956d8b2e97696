"""Quotes: a post that carries another one as a card, as long as the quoted author lets it.

quoted.py   what stands in the card, and when
reading.py  the posts that quote a post
counting.py which posts count as quotes
"""
