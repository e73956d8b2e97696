"""`manage.py doctor`: what does this machine have, what is missing, and which one command gets it?

It must answer where nothing else does: without Django, with settings that are wrong, and on a Python that is too old.
So these files use the standard library alone, and what else they need they import where they ask it. It starts no
engine, needs no table, and writes nothing.

Which file answers what
    __main__.py     asks everything in order, prints it, and says whether the site can start
    machine.py      one line of the answer; Python and its packages, npm, Java, the proxy, disk, ports, the data folder
    site.py         settings that do not fit, the engine that would be used, and what only developers need
"""

POINTER = "To see what this machine lacks, run `python3 manage.py doctor`."
