"""Reads what Chromium prints: the pages of a PDF as texts, and the colours on them."""

from __future__ import annotations

import re
import zlib

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_FONT = re.compile(rb"/(F\d+) (\d+) 0 R")
_SHOWN = re.compile(rb"/(F\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj|(ET)")
_RANGE = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4})> <([0-9A-F]{4})>")
_SINGLE = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4})>\n")
_FILL = re.compile(rb"([\d.]+) ([\d.]+) ([\d.]+) rg\n")


class Pdf:
    """A PDF as Chromium writes it.

    Attributes:
        pages: the text of each page without any space, so that it does not matter where lines end.
        sizes: width and height of each page, in points.
        colours: those of texts and areas, each red, green and blue from 0 to 1.
    """

    def __init__(self, data: bytes) -> None:
        self._objects = {int(number): body for number, body in _OBJECT.findall(data)}
        pages = [body for body in self._objects.values() if b"/Type /Page\n" in body]
        self.pages = [self._text(page) for page in pages]
        self.sizes = [self._size(page) for page in pages]
        self.colours = {
            (float(red), float(green), float(blue))
            for page in pages
            for red, green, blue in _FILL.findall(self._contents(page))
        }

    def whole(self, text: str) -> bool:
        """Return whether a text is on one page, spaces apart."""
        return any("".join(text.split()) in page for page in self.pages)

    def _contents(self, page: bytes) -> bytes:
        return self._stream(_number(rb"/Contents (\d+) 0 R", page))

    def _stream(self, number: int) -> bytes:
        head, _, body = self._objects[number].partition(b"stream\n")
        return zlib.decompress(body) if b"/FlateDecode" in head else body

    def _text(self, page: bytes) -> str:
        letters = {name: self._letters(int(font)) for name, font in _FONT.findall(page)}
        text, font = "", b""
        for name, glyphs, end in _SHOWN.findall(self._contents(page)):
            font = name or font
            if glyphs and not end:
                codes = (int(glyphs[at : at + 4], 16) for at in range(0, len(glyphs), 4))
                text += "".join(letters[font].get(code, "\ufffd") for code in codes)
        return "".join(text.split())

    def _letters(self, font: int) -> dict[int, str]:
        table = self._stream(_number(rb"/ToUnicode (\d+) 0 R", self._objects[font]))
        found: dict[int, str] = {}
        for first, last, letter in _RANGE.findall(table):
            for code in range(int(first, 16), int(last, 16) + 1):
                found[code] = chr(int(letter, 16) + code - int(first, 16))
        singles = _RANGE.sub(b"", table)
        return found | {int(a, 16): chr(int(b, 16)) for a, b in _SINGLE.findall(singles)}

    def _size(self, page: bytes) -> tuple[int, int]:
        found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page)
        assert found is not None
        return round(float(found[1])), round(float(found[2]))


def _number(pattern: bytes, body: bytes) -> int:
    found = re.search(pattern, body)
    assert found is not None, pattern
    return int(found[1])
