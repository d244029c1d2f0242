"""What an edit changed is read off the two versions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizer.facts.changes import count_lines, describe_change, describe_fragments, outline

KERNEL = """class K {
    void CopyIn(uint32_t len) {
        DataCopy(xLocal, xGm[off], len);
    }
    void Compute() {
        Exp(neg, neg, len);
        Adds(neg, neg, -1.0f, len);
    }
};
constexpr uint32_t TILE = 4096;
"""


def change(old: str, new: str):
    return describe_change(KERNEL, KERNEL.replace(old, new), "k.cpp")


def test_exchanged_call_with_its_scope():
    """A call exchanged for another is named with the function it stands in."""
    (found,) = change("DataCopy(xLocal, xGm[off], len)", "DataCopyPad(xLocal, xGm[off], p)")
    assert found.scope == "CopyIn"
    assert found.replaced[0] == ("DataCopy", "DataCopyPad")
    assert ("len", "p") in found.replaced


def test_constant():
    """A changed constant is named with both values."""
    (found,) = change("TILE = 4096", "TILE = 2048")
    assert found.values == (("TILE", "4096", "2048"),)
    assert found.scope is None


def test_added_argument():
    """An argument that was added is shown as the call's argument list."""
    (found,) = change("xGm[off], len)", "xGm[off], len, pad)")
    assert found.arguments == (("DataCopy", "xLocal, xGm[off], len", "xLocal, xGm[off], len, pad"),)


def test_rewritten_statements_are_named_by_calls():
    """Statements that are no edited version of one another are removed and added ones."""
    (found,) = change(
        "        Exp(neg, neg, len);\n        Adds(neg, neg, -1.0f, len);\n",
        "        for (int i = 0; i < n; ++i) {\n            neg.SetValue(i, expm1(i));\n    }\n",
    )
    assert found.scope == "Compute"
    assert found.removed_calls == ("Exp", "Adds")
    assert found.added_calls == ("neg.SetValue", "expm1")


def test_comments_name_no_calls():
    """A mention in a comment is no call."""
    (found,) = change("Exp(neg, neg, len);", "Exp(neg, neg, len);  // not Tanh(x)")
    assert "Tanh" not in str(found.added_calls) + str(found.replaced)


def test_python_scope():
    """Functions are found in Python too."""
    before = "def kernel(x):\n    copy(x, x)\n"
    (found,) = describe_change(before, before.replace("x, x", "x, y"), "t.py")
    assert (found.scope, found.replaced) == ("kernel", (("x", "y"),))


def test_fragments_without_the_file():
    """Without the whole file the fragments still tell the exchanged call."""
    (found,) = describe_fragments([("Tanh(t, t, len);", "Erf(t, t, len);")], "k.cpp")
    assert found.replaced == (("Tanh", "Erf"),)


def test_outline():
    """A new file is described by its types, functions and calls."""
    shape = outline(KERNEL, "k.cpp")
    assert (shape.lines, shape.types, shape.functions) == (10, ("K",), ("CopyIn", "Compute"))
    assert shape.calls == ("DataCopy", "Exp", "Adds")


@pytest.mark.parametrize("path", ["k.cpp", "k.py", "k.txt"])
@given(before=st.text(max_size=200), after=st.text(max_size=200))
def test_every_named_text_stands_in_a_version(path, before, after):
    """Nothing is named that is not in the old or the new text."""
    for found in describe_change(before, after, path):
        for old, new in found.replaced:
            assert old in before
            assert new in after
        assert all(line in before for line in found.removed_lines)
        assert all(line in after for line in found.added_lines)


@given(st.text(max_size=200), st.text(max_size=200))
def test_line_counts_are_of_the_diff(before, after):
    """Added minus removed lines is the difference in length."""
    added, removed = count_lines(before, after)
    assert added - removed == len(after.splitlines()) - len(before.splitlines())
