"""The page's types of all answers (web/src/net/rest.gen.ts), made from their declarations."""

from services.gateway.answers.listed import ANSWERS, left_out
from services.gateway.protocol.typescript import declarations, frame_types, used

_HEAD = "// Generated from services/gateway/answers by `make schema`: the objects of the HTTP API. Do not edit.\n"


def typescript() -> str:
    """The TypeScript module as text. What frames have as well is taken from their module."""
    known = frame_types()
    names = "\n".join(f"  {name}," for name in used(ANSWERS, known))
    shared = f"import type {{\n{names}\n}} from './wire.gen.ts';\n"
    return "\n".join((_HEAD + shared, *declarations(ANSWERS, optional=left_out, known=known)))
