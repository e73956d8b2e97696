"""What the site costs: units and money by kind of page, by feature and by person, what is stored, and a forecast.

`socialsite/table/meter.py` sums in memory what pages, handlers and jobs spend. `keeping.py` writes the sums,
one item for each process and every few minutes, and the stream worker adds them up by day
(`stream_handlers.py`). Everything else here reads: `spent.py`, `stored.py`, `report.py`.
"""
