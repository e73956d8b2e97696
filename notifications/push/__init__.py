"""Push: what waits for someone, told on their devices while no page is open (RFC 8030, 8291, 8292).

The stream worker sees in a bell that something new waits, and that its person has devices (`stream.py`): it plans one
piece of work. A process of its own, the pusher, takes that up, reads what waits by then and sends one line for all of
it (`sender.py`). It alone opens what a browser gave, and asks push services.
"""
