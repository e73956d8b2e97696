"""Letters by email: planned in the transaction that is their reason, written and sent later by the clock.

`posting.py` has the action, `letters.py` what each letter says, `recipients.py` whom it reaches, `sending.py` sends it,
and `folder.py` keeps letters as files where no mail server is set.
"""
