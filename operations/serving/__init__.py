"""The site in production mode on one machine: `make serve`, which is `python -m operations.serving`.

Which file answers what
    __main__.py     what is started, in which order, until Ctrl-C
    environment.py  the settings of production that a machine can make for itself
    certificate.py  a certificate for https, signed by this machine
    nginx.py        deploy/nginx.conf with this machine's ports and files
    children.py     the processes: started, watched, ended, none left behind
    standing.py     whether the worker does nothing, though it runs
"""
