"""The trace layouts that can be written; a layout is a template folder and a line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """One layout."""

    name: str
    template: str
    """File below `render/templates`."""
    description: str


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("T6", "T6/trace.md.j2", "main-line template of 2026-04-20, with 阶段四"),
        Profile("T11", "T11/trace.md.j2", "wheel-line template of 2026-05-13: design.md path"),
    )
}
"""By name; the first one is the default."""

DEFAULT_PROFILE = next(iter(PROFILES))
