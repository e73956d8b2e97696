"""`manage.py doctor`: what does this machine have, what is missing, and which one command gets it?

It must answer where nothing else does: without Django, with settings that are wrong, and on a Python that is too old.
So these files use the standard library alone, and what else they need they import where they ask it. It starts no
engine, needs no table, and writes nothing.

Which file answers what
    __main__.py     asks everything in order, prints it, and says whether the site can start
    finding.py      one line of the answer
    python.py       the system, Python, the virtual environment and its packages
    engine.py       which DynamoDB would be used, and whether it is there
    machine.py      npm, Java, the proxy, free disk, ports
    data_folder.py  whether the data folder can be used, and by nobody else
    settings.py     settings that do not fit
    developers.py   what only tests and translations need
"""

POINTER = "To see what this machine lacks, run `python3 manage.py doctor`."
