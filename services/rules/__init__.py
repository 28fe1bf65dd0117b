"""The rules of chess, asked over gRPC in batches.

Job: say what a move is and what arises from it, whether a game may start from a position, and who wins when a flag
falls. A read of the same rules for people: `python -m services.rules judge`.
In: `RulesService.Judge` (`server`); the command line (`cli`).
Out: verdicts. Nothing is called, stored or published.
Owns: the meaning of a FEN (`fen`, `position_check`), of a typed move (`notation_in`) and of a printed one
(`notation_out`); making a move (`moves`) and listing all (`legal_text`); the key of a position (`keys`); draws, mates
and claims (`standing`); what material can do (`material`) and whether a side can still mate (`mate_search`); one
question, one verdict (`judge`).
Never: remembers a game. The question carries the position and the keys since the last irreversible move, so that any
replica may answer any question, and the work for a move does not grow with the game. Never trusts input: whatever
cannot be read or played is a refusal with a code and a place.
When it breaks: a bad question harms only itself, and so does a defect that one question meets: it is logged and refused
as `unavailable`. A process that dies takes nothing along; its callers ask another.

Choices that others rely on: a FEN that leaves here names an en passant square only when the capture is legal, as
python-chess writes it; moves in UCI are sorted by their text; no move is legal in a game that is over.
"""
