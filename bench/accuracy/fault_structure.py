"""Faults in the table and in the structure: cells, columns, rows, sections, fields, names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bench.accuracy.base import (
    Base,
    Fault,
    Maker,
    edited,
    heading_of,
    swap_line,
    wrong_decimal,
    wrong_integer,
)
from bench.accuracy.handwriting import HEADER

_FLAGS = {"是": "否", "否": "是", "N/A": "是"}
_MARKS = {"✅": "❌", "❌": "✅", "N/A": "✅"}
_STATUS = {"成功": "失败", "失败": "成功", "N/A": "成功"}


def _row(base: Base) -> tuple[int, list[str]] | None:
    """Index and cells of the summary row."""
    for index, line in base.prose("table"):
        if line.text.startswith("|") and "Level" not in line.text and "---" not in line.text:
            return index, [cell.strip() for cell in line.text.strip("|").split("|")]
    return None


def _with(
    base: Base, kind: str, index: int, cells: list[str], codes: tuple[str, ...], at: str
) -> Fault:
    return swap_line(base, kind, index, "| " + " | ".join(cells) + " |", codes, at=at)


def cells(base: Base, rng: random.Random) -> Iterator[Fault]:
    """One cell is another."""
    found = _row(base)
    if found is None:
        return
    index, row = found
    measured = row[6] != "N/A"

    def changed(kind: str, column: int, value: str, *codes: str) -> Fault:
        new = [*row[:column], value, *row[column + 1 :]]
        return _with(base, kind, index, new, codes, f"{kind}{value}")

    final = base.facts["final_result"]["ascendc"]
    yield changed("cell: level", 0, wrong_integer(row[0], rng), "C303")
    yield changed("cell: problem id", 1, wrong_integer(row[1], rng), "C303")
    yield changed("cell: operator", 2, row[2] + "V2", "C303")
    yield changed("cell: type", 3, "cube" if row[3] != "cube" else "vector", "C303")
    yield changed("cell: compiled", 4, _MARKS[row[4]], "S405", "N209")
    yield changed("cell: correct (mark)", 5, _MARKS[row[5]], "S405", "N209")
    yield changed("cell: status", 9, _STATUS[row[9]], "S405", "N209")
    yield changed("cell: correct (word)", 10, _FLAGS[row[10]], "S405", "N209")
    yield changed("cell: 0.6x", 11, _FLAGS[row[11]], "N207", "N209")
    yield changed("cell: 0.8x", 12, _FLAGS[row[12]], "N207", "N209")
    if final == "FAIL":
        yield changed("cell: latency where nothing was measured", 7, "0.123", "N205", "N209")
    if measured:
        yield from _measured(base, index, row, rng)


def _measured(base: Base, index: int, row: list[str], rng: random.Random) -> Iterator[Fault]:
    performance = base.facts["performance"]

    def changed(kind: str, values: dict[int, str], *codes: str) -> Fault:
        new = [values.get(column, cell) for column, cell in enumerate(row)]
        return _with(base, kind, index, new, codes, f"{kind}{values}")

    for _ in range(2):
        yield changed("cell: reference latency, digit", {6: wrong_decimal(row[6], rng)}, "N205")
        yield changed("cell: AscendC latency, digit", {7: wrong_decimal(row[7], rng)}, "N205")
        yield changed("cell: ratio, digit", {8: wrong_decimal(row[8], rng)}, "N206")
    yield changed("cell: latencies exchanged", {6: row[7], 7: row[6]}, "N205")
    inverse = f"{1 / performance['ratio_of_means']:.2f}"
    yield changed("cell: ratio inverted", {8: inverse}, "N206")
    yield changed("cell: latency in other unit", {6: f"{float(row[6]) * 1000:.1f}"}, "N205")
    other = f"{performance['mean_of_ratios']:.2f}"
    if other != row[8]:
        yield changed("cell: ratio, other aggregate", {8: other}, "N206")
    medians = [
        performance["implementations"][name]["median_ms"] for name in ("reference", "ascendc")
    ]
    if None not in medians:
        median = {6: f"{medians[0]:.4f}", 7: f"{medians[1]:.4f}"}
        yield changed("cell: medians for means", median, "N205")
    yield changed("cell: N/A for a known latency", {6: "N/A", 7: "N/A", 8: "N/A"}, "N205", "N209")


def columns(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A row that programs lose or misread."""
    found = _row(base)
    if found is None:
        return
    index, row = found
    row_codes = ("S402", "S403")
    for column in (3, 5, 8, 10, 12):
        new = row[:column] + row[column + 1 :]
        yield _with(base, "row: column dropped", index, new, row_codes, f"dropped{column}")
    for one in (3, 5, 8):
        new = list(row)
        new[one], new[one + 1] = new[one + 1], new[one]
        if new != row:
            yield _with(
                base, "row: columns exchanged", index, new,
                ("S402", "N205", "N206", "C303", "S405", "N209"), f"exchanged{one}",
            )  # fmt: skip
    yield _with(base, "row: column added", index, [*row, "备注"], row_codes, "added")
    level = [*row[:2], f"Level{row[0]}_{row[2]}", *row[3:]]
    yield _with(base, "row: `Level` in a cell", index, level, ("S403", "S402", "C303"), "level")
    dashes = [*row[:6], "---", *row[7:]]
    yield _with(base, "row: `---` in a cell", index, dashes, ("S403", "S402"), "dashes")
    marked = [*row[:8], row[8] + "x (约)", *row[9:]]
    if row[8] != "N/A":
        yield _with(base, "row: wording of a cell", index, marked, ("S402",), "wording")
    yes = [*row[:4], "yes", *row[5:]]
    yield _with(base, "row: wording of a cell", index, yes, ("S402",), "yes")
    text, touched = edited(base, index, index + 1, [], around=1)
    yield Fault("row: missing", text, touched, ("S403", "S402"), "row", "", at="missing")
    text, touched = edited(base, index + 1, index + 1, [base.lines[index].text])
    yield Fault("row: twice", text, touched | {index + 1}, ("S403",), "", "row", at="twice")
    for name in ("精度正确", "加速比", "PyTorch 参考延迟"):
        new_header = HEADER.replace(name, name + "(%)", 1)
        yield swap_line(base, "row: header renamed", index - 2, new_header, ("S402",), at=name)


def extra_tables(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A table whose rows a collecting program would take for summary rows."""
    found = _row(base)
    if found is None:
        return
    index, row = found
    other = [*row[:2], "Other", *row[3:]]
    table = ["", "### 对比", "", HEADER, "| " + " | ".join(["---"] * 13) + " |",
             "| " + " | ".join(other) + " |"]  # fmt: skip
    where = [i for i, line in base.prose("excerpt", "table") if line.text.startswith("## ")]
    for start in [*where, len(base.lines) - 1]:
        place = start if start != where[0] else index + 1
        text, touched = edited(base, place, place, table)
        yield Fault("extra table", text, touched, ("S403", "S402"), "", "table", at=f"{place}")


def sections(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A whole section is gone."""
    heads = [i for i, line in enumerate(base.lines) if line.text.startswith("## ")]
    for start, stop in zip(heads, [*heads[1:], len(base.lines)], strict=True):
        section = base.lines[start].section
        # Older templates have no 汇总表报告, the phase layout has no 评测输出摘要.
        if section in {"sources", "other", "table"} or (base.style, section) == ("en", "excerpt"):
            continue
        ran = section != "full_validation" or base.facts["stages"][section]["rounds"]
        required = base.style != "en" or base.facts["stages"].get(section, {}).get("rounds")
        if ran and required:
            text, touched = edited(base, start, stop, [], around=1)
            yield Fault(
                f"section missing: {section}", text, touched, ("S401", "D502"),
                base.lines[start].text, "", at=section, anywhere=True,
            )  # fmt: skip


def fields(base: Base, rng: random.Random) -> Iterator[Fault]:
    """A field of the template is gone."""
    for index, line in base.prose("cases", "ascendc"):
        match = re.match(
            r"- (?:\*\*)?(结果|[\w.]+ 执行次数|走偏点|原始 case 数|精简后 case 数)", line.text
        )
        ran = base.facts["stages"]["ascendc"]["rounds"]
        if match and base.style != "en" and (ran or line.section == "cases"):
            stop = next(
                i for i in range(index + 1, len(base.lines))
                if not base.lines[i].text.startswith(" ")
            )  # fmt: skip
            text, touched = edited(base, index, stop, [], around=1)
            yield Fault(
                "field missing", text, touched, ("S409", "D501", "S405"), line.text, "",
                at=f"{index}",
            )  # fmt: skip


def titles(base: Base, rng: random.Random) -> Iterator[Fault]:
    """Another operator in the title or in 算子."""
    for index, line in base.prose("head"):
        name = base.facts["operator"]["name"]
        if name in line.text and (line.text.startswith("#") or "算子" in line.text):
            for wrong in ("GroupNorm", name + "Grad"):
                new = line.text.replace(name, wrong)
                yield swap_line(
                    base, "operator: another", index, new, ("C303",), at=f"{index}{wrong}"
                )
    folder = str(base.facts["operator"]["folder"])
    for index, line in base.prose("head"):
        if folder in line.text and "_" in folder:
            new = line.text.replace(
                folder, f"{int(folder.split('_')[0]) + 1}_{folder.split('_')[1]}"
            )
            yield swap_line(base, "operator: another number", index, new, ("C303",))


def excerpts(base: Base, rng: random.Random) -> Iterator[Fault]:
    """The excerpt quotes nothing; it names another round than it quotes."""
    quoted = list(base.quoted("excerpt"))
    if not quoted:
        return
    start, stop = quoted[0][0] - 1, quoted[-1][0] + 2
    text, touched = edited(base, start, stop, ["评测全部通过"], around=1)
    touched |= {heading_of(base, start) + 1}
    yield Fault("excerpt: quotes nothing", text, touched, ("S409",), "", "", at="empty")
    for index, line in base.prose("excerpt"):
        match = re.search(r"第 (\d+) 轮（", line.text)
        if match:
            wrong = wrong_integer(match[1], rng, taken=(0,))
            new = line.text[: match.start(1)] + wrong + line.text[match.end(1) :]
            codes = ("S405", "Q104", "N202", "N204")
            yield swap_line(base, "excerpt: another round named", index, new, codes)


MAKERS: tuple[Maker, ...] = (cells, columns, extra_tables, sections, fields, titles, excerpts)
