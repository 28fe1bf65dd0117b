"""The rules of chess in eleven variants, asked over gRPC.

Job: check a move and classify the new position; check starting positions; parse moves; decide who wins after a flag
fall or a resignation; read and write PGN. The same on a terminal: `python -m services.rules judge`; as an engine:
`... uci`.
In: `RulesService` (`server`); the command line (`cli`).
Out: verdicts. It calls, stores and publishes nothing; work that takes seconds runs in side processes (`side_process`).
Owns: what each variant changes (`families`), positions and moves as text (`notation`), PGN (`pgn`), dead positions and
possible mates by proof (`dead`), draws and claims (`draws`), forfeits (`forfeit`), the order of ends (`standing`), the
key of a position (`keys`); one question, one verdict (`judge`).
Never: stores a game. The question has the position and the keys since the last irreversible move, so any replica can
answer any question, and the work for a move does not grow with the game. Never trusts input: invalid or illegal input
gets a refusal with a code and a place.
When it breaks: a bad question affects only itself. So does a bug that one question triggers: it is logged and refused
as `unavailable`. If a process dies, no data is lost; its callers ask another replica. If a search dies or takes too
long, its answer is unknown, which counts as winnable.

Other services rely on this: a FEN from here has an en passant square only if the capture is legal, as python-chess
writes it; moves in UCI are sorted by their text; a game that is over has no legal moves.
"""
