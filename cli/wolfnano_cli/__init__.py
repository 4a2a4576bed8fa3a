# SPDX-License-Identifier: GPL-3.0-or-later
"""The wolfnano command. Each subcommand is one module or package listed in main.py."""

__version__ = "0.1.0"     # as in CMakeLists.txt
