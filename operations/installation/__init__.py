"""One machine for good: the site as services of systemd, which come back after a restart of the machine.

Which file answers what
    places.py      where everything is: versions, settings, data, units
    install.py     tools/install-service: what is done, said before it is done
    versions.py    a version of the code in a folder of its own, with its packages
    services.py    systemctl, the settings file, commands in the site's own environment, /readyz
    upgrade.py     from one version to another: backup, rehearsal, switch
    switch.py      the switch itself and the way back
    __main__.py    the commands

A version is never changed after it was made. `current` names the one that runs, and `slot-a` or `slot-b` the one whose
pages nginx leads to.
"""
