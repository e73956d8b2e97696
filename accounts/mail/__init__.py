"""Letters by email: planned in the transaction that is their reason, written and sent later by the clock.

`delivery.py` posts them, `letters.py` has whom letters reach and how they are written, `stream.py` sends them, and
`folder.py` keeps them as files where no mail server is set. `choices.py`, `regular.py` and `signed.py` are about those
that come regularly, `bounces.py` and `events_queue.py` about those that come back. What each letter says stands with
its behaviour: `addresses/letters.py`, `security/letters.py`.
"""
