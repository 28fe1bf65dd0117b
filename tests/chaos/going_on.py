"""Checks whether play goes on after a fault, and chooses the next fault."""

import random
from collections.abc import Iterator, Sequence

from tests.chaos.table import Table


def rounds(kinds: Sequence[str], chance: random.Random) -> Iterator[tuple[int, str]]:
    """All kinds in random order, repeatedly."""
    number = 0
    while kinds:
        for kind in chance.sample(kinds, len(kinds)):
            yield number, kind
        number += 1


def goes_on(table: Table, since_ms: int) -> bool:
    """Whether all clients are connected again, and the game made progress or cannot make any."""
    return table.whole and (table.moved_ms > since_ms or table.asleep)


def described(table: Table) -> str:
    """The state of a table, for people."""
    players = [
        f"{player.seat.colour} at version {player.version}, {'back' if player.resumed else 'away'}, owes {player.owes},"
        f" {player.state.get('turn', 'nobody')} to move, {'over' if player.over else 'on'}"
        for player in table.players
    ]
    return f"{table.kind.name}: {'; '.join(players) or 'no game could be made'}"
