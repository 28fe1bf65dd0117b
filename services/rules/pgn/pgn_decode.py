"""Decodes the bytes of a PGN file: its encoding and its line ends.

PGN 4.1 requires ISO 8859-1; today's files are in UTF-8, with or without a byte order mark. Text with non-ASCII letters
is almost never valid in both, so text that is not UTF-8 is read as ISO 8859-1.
"""

import codecs

from services.domain.refusal import RefusalCode
from services.domain.text import say
from services.rules.limits import PgnLimits
from services.rules.refused import Rejected

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(data: bytes, limits: PgnLimits) -> str:
    """The text, with \\n as line end. Raises Rejected if it is too long or in another encoding."""
    if len(data) > limits.bytes_max:
        text = say("rules.pgn_bytes_given", most=limits.bytes_max, given=len(data))
        raise Rejected(RefusalCode.MALFORMED, text, "pgn")
    if data.startswith(_UTF_16):
        raise Rejected(RefusalCode.MALFORMED, say("rules.pgn_utf_16"), "pgn")
    return _letters(data).replace("\r\n", "\n").replace("\r", "\n")


def _letters(data: bytes) -> str:
    marked = data.startswith(codecs.BOM_UTF8)
    try:
        return data[len(codecs.BOM_UTF8) if marked else 0 :].decode("utf-8")
    except UnicodeDecodeError as error:
        if not marked:
            return data.decode("iso-8859-1")
        text = say("rules.pgn_not_utf_8", byte=str(error.start + len(codecs.BOM_UTF8)))
        raise Rejected(RefusalCode.MALFORMED, text, "pgn") from error
