"""trace-recorder: from a finished agent session to a fact-checked trace.md.

Imports nothing, so that `validators` stays free of heavy libraries.
"""

__version__ = "0.1.0"
