"""News for open pages: `manage.py run_live`, a process of its own, holds a connection for each browser that looks and
says "news" when something came (docs/adr/0040-news-come-from-a-process-of-their-own.md). What came, the page asks the
site for, so nobody else decides who may see what.

`readers.py` is who looks and at what, `sign_ins.py` whether their sign-ins hold, `server.py` the process. `stream.py`
tells what no transaction says by itself; what a datagram is, `socialsite/news.py`.
"""
