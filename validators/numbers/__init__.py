"""Rules on figures: each one is recomputed from the facts in the role the text gives it.

A figure without a recognised role is not judged. Must not know how facts are derived.
"""
