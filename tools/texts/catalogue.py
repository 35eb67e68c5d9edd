"""Reading and writing gettext's files: .pot and .po in text, .mo in bytes."""

import ast
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tools.texts.found import Text

Catalogue = Mapping[Text, tuple[str, ...]]
"""For each text its translation, one or a form for each plural."""

PLURALS: Final = {
    "fr": "nplurals=2; plural=(n > 1);",
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "ru": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
        "n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
    ),
}
"""How each language counts, in gettext's own terms."""

_MAGIC: Final = 0x950412DE


def forms(language: str, text: Text) -> int:
    """Return how many forms the translation of a text has."""
    return int(PLURALS[language][len("nplurals=")]) if len(text) > 1 else 1


def header(language: str) -> str:
    """Return what stands before the texts; for the template, of no language."""
    lines = [
        "Project-Id-Version: netplay",
        f"Language: {language}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    if language:
        lines.append(f"Plural-Forms: {PLURALS[language]}")
    return "".join(f"{line}\n" for line in lines)


def write(language: str, texts: Iterable[Text], known: Catalogue) -> str:
    """Return a .po file; texts that are not known yet are left empty."""
    parts = [_entry((("msgid", ""), ("msgstr", header(language))))]
    for text in texts:
        count = forms(language, text) if language else len(text)
        said = known.get(text, ("",) * count)
        if len(text) == 1:
            parts.append(_entry((("msgid", text[0]), ("msgstr", said[0]))))
            continue
        rows = [("msgid", text[0]), ("msgid_plural", text[1])]
        rows += [(f"msgstr[{i}]", form) for i, form in enumerate(said)]
        parts.append(_entry(rows))
    return "\n".join(parts)


def _entry(rows: Iterable[tuple[str, str]]) -> str:
    """Return one entry's lines."""
    return "".join(f"{key} {_quoted(text)}\n" for key, text in rows)


def _quoted(text: str) -> str:
    """Return a text between quotation marks, as C writes it."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def read(source: str) -> dict[Text, tuple[str, ...]]:
    """Return what a .po file holds, its header left out."""
    found: dict[Text, tuple[str, ...]] = {}
    for block in source.split("\n\n"):
        rows = dict(_rows(block))
        text = tuple(rows[k] for k in ("msgid", "msgid_plural") if rows.get(k))
        if text:
            said = (v for k, v in rows.items() if k.startswith("msgstr"))
            found[text] = tuple(said)
    return found


def _rows(block: str) -> Iterator[tuple[str, str]]:
    """Yield an entry's keys and texts; a text may go on over several lines."""
    key, text = "", ""
    for line in block.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, _space, rest = line.partition(" ")
        if line.startswith('"'):
            text += str(ast.literal_eval(line))
            continue
        if key:
            yield key, text
        key, text = name, str(ast.literal_eval(rest))
    if key:
        yield key, text


def compiled(language: str, known: Catalogue) -> bytes:
    """Return a .mo file: tables of where each text and its translation are."""
    pairs = {"": header(language)}
    pairs |= {"\0".join(t): "\0".join(said) for t, said in known.items() if all(said)}
    rows = sorted((k.encode(), v.encode()) for k, v in pairs.items())
    at = 28 + 16 * len(rows)
    tables: list[bytes] = []
    heap: list[bytes] = []
    for column in (0, 1):
        for row in rows:
            tables.append(struct.pack("<2I", len(row[column]), at))
            heap.append(row[column] + b"\0")
            at += len(heap[-1])
    second = 28 + 8 * len(rows)
    head = struct.pack("<7I", _MAGIC, 0, len(rows), 28, second, 0, 28 + 16 * len(rows))
    return b"".join((head, *tables, *heap))
