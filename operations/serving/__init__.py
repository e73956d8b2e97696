"""The site in production mode on one machine: `make serve`, which is `python -m operations.serving`.

Which file answers what
    __main__.py     what is started, in which order, until Ctrl-C
    nginx.py        the settings of production that a machine makes for itself, its certificate, and nginx
    children.py     the processes: started, watched, ended, none left behind
    standing.py     whether the worker does nothing, though it runs
    told.py         which site is served, for commands of another terminal
    health.py       whether a part of the site in a container works
"""
