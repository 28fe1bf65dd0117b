"""Progress against the computer: which level was beaten in which variant, with or without help, and badges.

Every win is a row, written in the commit that ends the game and deleted in the commit that undoes the end; everything
else is counted from the rows. Badges are data (`badges.toml`).
"""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.arrays import is_array
from services.domain.colour import Colour
from services.domain.level import LEVELS
from services.domain.variant import Variant
from services.game.play.game import Game
from services.game.store.database import single, transaction
from services.game.store.schema import computer_win

BADGES = Path(__file__).with_name("badges.toml")


@dataclass(frozen=True, slots=True)
class Beaten:
    """The wins in a variant against a level. The times are those of the first wins (UTC ms); None if there are none."""

    variant: str
    level: int
    wins: int
    wins_without_help: int
    first_ms: int
    first_without_help_ms: int | None

    def first(self, without_help: bool) -> int | None:
        """The time of the first win."""
        return self.first_without_help_ms if without_help else self.first_ms


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge. It needs a win for each of `variants` (empty: in any one) and each set of `levels`."""

    key: str
    name: str
    description: str
    variants: tuple[str, ...]
    levels: tuple[frozenset[int], ...]
    without_help: bool

    def earned_ms(self, beaten: Iterable[Beaten]) -> int | None:
        """The time of the last win that the badge needs; None while one is missing."""
        first = [(row.variant, row.level, row.first(self.without_help)) for row in beaten]
        known = [(variant, level, at_ms) for variant, level, at_ms in first if at_ms is not None]
        needed = [(variants, levels) for variants in self._variants() for levels in self.levels]
        firsts = [
            min((at_ms for variant, level, at_ms in known if variant in variants and level in levels), default=None)
            for variants, levels in needed
        ]
        found = [at_ms for at_ms in firsts if at_ms is not None]
        return max(found) if len(found) == len(needed) else None

    def _variants(self) -> list[frozenset[str]]:
        return [frozenset([variant]) for variant in self.variants] or [frozenset(map(str, Variant))]


@cache
def badges() -> tuple[Badge, ...]:
    """All badges. Raises ValueError if the data names an unknown variant or level."""
    return tuple(_badge(data) for data in tomllib.loads(BADGES.read_text())["badge"])


def _badge(data: dict[str, object]) -> Badge:
    match data:
        case {"key": str(key), "name": str(name), "description": str(description), **more}:
            pass
        case _:
            raise ValueError(f"badges.toml: {data}")
    without_help = more.pop("without_help", False)
    variants, levels, level_from = more.pop("variants", []), more.pop("levels", None), more.pop("level_from", None)
    if more or not isinstance(without_help, bool) or not isinstance(variants, list):
        raise ValueError(f"badges.toml: {key}: {more or data}")
    wanted = [frozenset(LEVELS[level_from - 1 :])] if isinstance(level_from, int) else []
    wanted += [frozenset([level]) for level in levels] if isinstance(levels, list) else []
    if not wanted or not set().union(*wanted) <= set(LEVELS):
        raise ValueError(f"badges.toml: {key}: levels are {LEVELS.start} to {LEVELS.stop - 1}")
    return Badge(key, name, description, tuple(Variant(variant) for variant in variants), tuple(wanted), without_help)


def win_of(game: Game) -> dict[str, object] | None:
    """The row for a game from the array that a person won against the computer; None for any other game.

    A position of one's own may be won already.
    """
    terms = game.terms
    if game.outcome is None or game.outcome.winner is None or not terms.against_computer:
        return None
    if not is_array(terms.variant, terms.rule_set, terms.initial_fen):
        return None
    winner = game.terms.seat(game.outcome.winner)
    loser = game.terms.seat(Colour(game.outcome.winner).other)
    if winner.computer_level or not loser.computer_level:
        return None
    return {
        "game_id": game.terms.id,
        "player_id": winner.player_id,
        "variant": game.terms.variant,
        "level": loser.computer_level,
        "helped": game.extra.helped,
        "at_ms": game.ended_ms or 0,
    }


async def keep(connection: AsyncConnection, ended: Sequence[Game], reopened: Sequence[Game]) -> None:
    """Write the wins of ended games, and delete the wins of reopened games."""
    if reopened:
        ids = [game.terms.id for game in reopened]
        await connection.execute(sa.delete(computer_win).where(computer_win.c.game_id.in_(ids)))
    wins = [win for game in ended if (win := win_of(game)) is not None]
    if wins:
        await connection.execute(pg.insert(computer_win).on_conflict_do_nothing(), wins)


async def beaten(engine: AsyncEngine, player_id: str) -> list[Beaten]:
    """The levels that a player has beaten, by variant and level."""
    unaided = sa.not_(computer_win.c.helped)
    statement = (
        sa.select(
            computer_win.c.variant,
            computer_win.c.level,
            sa.func.count().label("wins"),
            sa.func.count().filter(unaided).label("unaided"),
            sa.func.min(computer_win.c.at_ms).label("first_ms"),
            sa.func.min(computer_win.c.at_ms).filter(unaided).label("first_unaided_ms"),
        )
        .where(computer_win.c.player_id == player_id)
        .group_by(computer_win.c.variant, computer_win.c.level)
        .order_by(computer_win.c.variant, computer_win.c.level)
    )
    async with transaction(single(engine)) as connection:
        rows = await connection.execute(statement)
        return [
            Beaten(row.variant, row.level, row.wins, row.unaided, row.first_ms, row.first_unaided_ms) for row in rows
        ]
