# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano bench`: openssl speed of the default provider beside wolfnano's.

rows.py      what is measured (data)
speed.py     runs `openssl speed` and reads its output
evp.py       runs evpbench, our own small program, where openssl speed cannot
watch.py     the clock and the core: time of a slot, waits, load, pinning
plan.py      options -> list of cells, legs, probes of what each leg serves
measure.py   the A B A B loop over the cells
stats.py     median, spread, ratio and when a ratio means nothing
report_*.py  table, JSON, HTML
"""
