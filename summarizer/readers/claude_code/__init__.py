"""Claude Code sessions (`~/.claude/projects/<slug>/<session>.jsonl`) -> events.

    lines       bytes of a file -> JSON objects with their place
    files       which other files belong to a session (sub-agents, side files)
    walk        one record after the other; assistant, user, sides, joins handle them
    state       what is collected on the way; tally sums, context is shared
    messages    texts in the user's role: typed by the user, or put there by the client
    results     one tool result -> state and exit status; outputs, truncation: its text
    calls       request and result -> event
    background  commands that ended after their result was written
    hooks       commands that a hook executed in the agent's place
    finish      late joins, links to sub-agents; merge: one order
    session     the files of a session -> ReadResult

Versions 1.0.x to 2.1.x are read. Nothing in here judges what a command meant.
"""

from summarizer.readers.claude_code.lines import sniff
from summarizer.readers.claude_code.session import read

__all__ = ["read", "sniff"]
