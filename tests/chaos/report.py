"""The JSON line, and the data needed to investigate a violation."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bench.figures import percentile
from tests.chaos.run import Broken, Run

DETAILED_MAX = 5


def summary(run: Run) -> dict[str, Any]:
    """The figures of a run."""
    by_kind: dict[str, list[Broken]] = {}
    for broken in run.broken:
        by_kind.setdefault(broken.kind, []).append(broken)
    late_ms = run.ledger.late_ms
    ack_ms = [1000 * s for table in run.tables for s in (*table.ack_s, *(s for p in table.players for s in p.ack_s))]
    return {
        "seed": run.options.seed,
        "seconds": round(run.seconds),
        "gateways": run.options.gateways,
        "games_at_once": run.options.games,
        "games": sum(table.games for table in run.tables),
        "ended": dict(run.ledger.ended),
        "kinds": dict(sorted(run.ledger.kinds.items())),
        "moves_acknowledged": len(run.acks_ms()),
        "computer_moves": run.ledger.computer_moves,
        "sent_again": sum(max(0, command.sendings - 1) for seat in run.seats for command in seat.commands.values()),
        "answered_again": sum(table.repeated for table in run.tables) + sum(p.repeated for p in run.players),
        "reconnects": sum(table.reconnects for table in run.tables) + sum(p.reconnects for p in run.players),
        "ack_ms": {"p50": round(_at(ack_ms, 0.5), 1), "p99": round(_at(ack_ms, 0.99), 1)},
        "faults": dict(Counter(broken.kind for broken in run.broken)),
        "recovery_s": {
            kind: {
                "p50": round(_at([s for each in members for s in each.recovery_s], 0.5), 1),
                "max": round(max((s for each in members for s in each.recovery_s), default=0.0), 1),
            }
            for kind, members in by_kind.items()
        },
        "flag_late_ms": {
            "flags": len(late_ms),
            "p50": round(_at(late_ms, 0.5)),
            "p99": round(_at(late_ms, 0.99)),
            "max": max(late_ms, default=0),
        },
        "outages": [
            {"ms": span.end_ms - span.start_ms, "after": _cause(run, span.start_ms, span.end_ms)} for span in run.spans
        ],
        "log_errors": dict(run.loud),
        "violations": [violation.as_dict() for violation in run.ledger.violations],
    }


def reproduction(run: Run) -> str:
    """The first violations with all that the database and the clients have of their games."""
    lines = []
    for violation in run.ledger.violations[:DETAILED_MAX]:
        lines += [f"{violation.what}: game {violation.game_id or '-'}: {violation.detail}"]
        game = run.ledger.games.get(violation.game_id)
        if game is not None:
            lines += [f"  {game.control}, made at {game.created_ms}, {game.white} - {game.black}"]
            lines += [f"  {event}" for event in game.events[-12:]]
        for seat in run.seats:
            if seat.game_id == violation.game_id:
                lines += [f"  {seat.colour}: {command}" for command in list(seat.commands.values())[-6:]]
    lines += [f"  {broken.kind} from {broken.began_ms} to {broken.done_ms}" for broken in run.broken]
    lines += [f"  outage from {span.start_ms} to {span.end_ms}" for span in run.spans]
    return "\n".join(lines)


def _cause(run: Run, start_ms: int, end_ms: int) -> str:
    """The last fault that began before the outage ended."""
    before = [broken.kind for broken in run.broken if broken.began_ms <= end_ms]
    return before[-1] if before else "start"


def _at(values: Sequence[float], share: float) -> float:
    """A percentile; 0 of nothing."""
    return percentile(values, share) if values else 0.0
