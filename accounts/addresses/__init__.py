"""The email address of an account: confirmed by a link, changed, and taken back.

An address belongs to the account that confirmed it. Until then it is a wish, which any number of accounts may have.
"""
