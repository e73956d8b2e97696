"""What becomes of a post after it was published: its present text, those before, and its place.

own_text.py  the text as its author changes it
pins.py      the posts that stay at the top of their author's page
history.py   what it said before, for everyone who may see the post
past_posts.py  how many posts are for everyone, before all of them are limited
forms.py     the forms of an edit, and of another audience
"""
