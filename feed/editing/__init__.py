"""What a post says after it was published: its present text, and those before.

own_text.py  the text as its author changes it
history.py   what it said before, for everyone who may see the post
forms.py     the form of an edit
"""
