"""Renders a trace from its view by the profile's template."""

from __future__ import annotations

import functools
from importlib import resources
from typing import TYPE_CHECKING

from summarizer.errors import InputError, RenderError
from summarizer.model.draft import Draft
from summarizer.model.facts import Facts
from summarizer.render.profiles import DEFAULT_PROFILE, PROFILES, Profile
from summarizer.render.view import build_view
from summarizer.text.markdown import quote_block

if TYPE_CHECKING:
    from jinja2 import Environment


def profile_named(name: str | None) -> Profile:
    """Return a writable profile.

    Raises:
        InputError: there is no profile of that name.
    """
    profile = PROFILES.get(name or DEFAULT_PROFILE)
    if profile is None:
        known = ", ".join(PROFILES)
        raise InputError(f"unknown profile {name!r}; known profiles: {known}")
    return profile


def render_trace(facts: Facts, draft: Draft, profile: Profile) -> str:
    """Return the text of a trace, without provenance.

    Raises:
        RenderError: the template names something that the view does not have.
    """
    import jinja2

    try:
        template = _environment().get_template(profile.template)
        text = template.render(v=build_view(facts, draft))
    except jinja2.TemplateError as error:
        raise RenderError(f"template {profile.template!r}: {error}") from error
    return text.rstrip("\n") + "\n"


@functools.lru_cache(maxsize=1)
def _environment() -> Environment:
    import jinja2

    def load(name: str) -> str | None:
        path = resources.files("summarizer.render") / "templates" / name
        return path.read_text(encoding="utf-8") if path.is_file() else None

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(load),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # Markdown; everything foreign is escaped in the view
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["quote"] = _quote
    return environment


def _quote(lines: tuple[str, ...], indent: int = 0) -> str:
    """Fence quoted lines so that no reader of the file takes them for anything of ours."""
    return "\n".join(quote_block(lines, indent))
