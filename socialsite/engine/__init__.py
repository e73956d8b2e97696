"""The embedded DynamoDB engine: a program that keeps its tables in a file of the data folder.

It lets `runserver` work without an account, a container or a server to install. Production uses
Amazon DynamoDB and nothing of this package.

Which file answers what
    running.py         ensure_running(): the one entry point; own the engine, attach to it, or take over
    choice.py          which program is the engine
    program.py         what is asked of such a program, and how one gets here; dynoxide.py and
                       dynamodb_local.py answer
    owner.py           what the owner does: start, keep healthy, see that the file is whole, end at exit
    lock.py            who owns the engine of a data folder, and where the others find it
    process.py         one engine process: start, recognise, end
    exec_with_owner.py binds the engine's life to its owner's (Linux)
    database.py        the SQLite file, opened beside the running engine; copies of it
    install.py         python -m socialsite.engine.install: fetch the program

Ended unexpectedly, an engine is started again at the same address. On Linux it never outlives its
owner, whatever ends that. What is worked around in each program stands in its file.
"""
