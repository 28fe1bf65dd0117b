"""The rules of chess in eleven variants, asked over gRPC.

Job: say what a move is and what arises from it, from where a game may start, what a text means, who wins when a flag
falls or a side resigns; games out of PGN and into it. The same for people: `python -m services.rules judge`; as an
engine: `... uci`.
In: `RulesService` (`server`); the command line (`cli`).
Out: verdicts. Nothing is called, stored or published; work of seconds is done by processes of its own (`side_process`).
Owns: what each variant changes (`families`), positions and moves as text (`notation`), PGN (`pgn`), dead positions and
possible mates by proof (`dead`), draws and claims (`draws`), forfeits (`forfeit`), the order of ends, live and in
writing (`standing`), the key of a position (`keys`); one question, one verdict (`judge`).
Never: remembers a game. The question carries the position and the keys since the last irreversible move, so that any
replica may answer any question, and the work for a move does not grow with the game. Never trusts input: whatever
cannot be read or played is a refusal with a code and a place.
When it breaks: a bad question harms only itself, and so does a defect that one question meets: it is logged and refused
as `unavailable`. A process that dies takes nothing along; its callers ask another. A search that dies or takes too long
leaves its question open, which counts as winnable.

Choices that others rely on: a FEN that leaves here names an en passant square only when the capture is legal, as
python-chess writes it; moves in UCI are sorted by their text; no move is legal in a game that is over.
"""
