"""Names of record, attachment and block types that are understood or known to hold no step.

Source: sessions of versions 1.0.24 to 2.1.197. Any other name is counted as an issue.
"""

from __future__ import annotations

STATE_TYPES = frozenset({
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "permission-mode",
    "mode",
    "last-prompt",
    "ai-title",
    "custom-title",
    "agent-name",
    "agent-color",
    "agent-setting",
    "pr-link",
    "frame-link",
    "relocated",
    "worktree-state",
    "bridge-session",
    "started",
    "result",
    "tag",
    "task-summary",
    "content-replacement",
    "progress",
})
"""Record types without a step of their own."""

QUIET_ATTACHMENTS = frozenset({
    "agent_listing_delta",
    "command_permissions",
    "deferred_tools_delta",
    "mcp_instructions_delta",
    "skill_listing",
    "invoked_skills",
    "task_reminder",
    "todo_reminder",
    "todo",
    "task_status",
    "plan_mode",
    "plan_mode_exit",
    "plan_mode_reentry",
    "auto_mode",
    "auto_mode_exit",
    "date_change",
    "output_style",
    "token_usage",
    "budget_usd",
    "ultrathink_effort",
    "compaction_reminder",
    "context_efficiency",
    "critical_system_reminder",
    "nested_memory",
    "relevant_memories",
    "already_read_file",
    "compact_file_reference",
    "opened_file_in_ide",
    "selected_lines_in_ide",
    "diagnostics",
    "directory",
    "agent_mention",
    "mcp_resource",
    "structured_output",
    "team_context",
    "max_turns_reached",
    "verify_plan_reminder",
    "dynamic_skill",
    "edited_image_file",
    "pdf_reference",
})
"""Reminders and lists for the model."""

QUIET_BLOCKS = frozenset({
    "thinking",
    "redacted_thinking",
    "image",
    "document",
    "tool_reference",
    "fallback",
})
"""Content blocks that hold no citable text."""
