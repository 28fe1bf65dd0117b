"""Checks that ratings and progress follow exactly from the games."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.chaos.facts import STARTED, Game, Violation

FIRST = 1500.0
ABORTS = frozenset(["abort", "noFirstMove", "abandoned"])

Owner = tuple[str, str, str]
"""A player, a variant and a speed."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a game."""

    owner: Owner
    game_id: str
    number: int
    value: float


@dataclass(frozen=True, slots=True)
class Scores:
    """What the database has: each rating with its games, the points by number, and games won from the computer."""

    ratings: Mapping[Owner, tuple[float, int]] = field(default_factory=dict)
    points: Sequence[Point] = ()
    wins: frozenset[str] = frozenset()


def counts(game: Game) -> bool:
    """Whether a game has changed ratings: rated to its end, and not aborted."""
    return game.rated and game.over and game.reason not in ABORTS and not game.events[-1].unrated


def check_ratings(games: Sequence[Game], scores: Scores) -> Iterator[Violation]:
    """Every game that counts has a point for each player, no other has one, and points and ratings are one sum."""
    by_game: dict[str, list[Point]] = defaultdict(list)
    by_owner: dict[Owner, list[Point]] = defaultdict(list)
    for point in scores.points:
        by_game[point.game_id].append(point)
        by_owner[point.owner].append(point)
    for game in games:
        rated = sorted(point.owner[0] for point in by_game.pop(game.id, []))
        if rated != (sorted([game.white, game.black]) if counts(game) else []):
            yield Violation("rated wrongly", game.id, f"{game.reason!r}, counts {counts(game)}: points of {rated}")
        if (game.events[-1].diffs is not None) != counts(game):
            yield Violation("rating difference missing or made up", game.id, f"{game.events[-1]}")
    for game_id in by_game:
        yield Violation("rating of a lost game", game_id)
    told = {game.id: game for game in games}
    for owner in by_owner.keys() | scores.ratings.keys():
        yield from _check_line(owner, by_owner[owner], scores.ratings.get(owner), told)


def _check_line(
    owner: Owner, points: Sequence[Point], rating: tuple[float, int] | None, games: Mapping[str, Game]
) -> Iterator[Violation]:
    ordered = sorted(points, key=lambda point: point.number)
    if [point.number for point in ordered] != list(range(1, len(ordered) + 1)):
        yield Violation("rating points with a gap", detail=f"{owner}: {[point.number for point in ordered]}")
    if not ordered or rating != (ordered[-1].value, len(ordered)):
        yield Violation("rating and points differ", detail=f"{owner}: {rating}, {ordered[-1:]}, {len(ordered)} points")
    before = FIRST
    for point in ordered:
        game = games.get(point.game_id)
        diffs = game.events[-1].diffs if game is not None else None
        if game is not None and diffs is not None:
            told = diffs[0] if owner[0] == game.white else diffs[1]
            if told != round(point.value) - round(before):
                yield Violation("told another rating", game.id, f"{owner}: told {told}, from {before} to {point.value}")
        before = point.value


def check_progress(games: Sequence[Game], scores: Scores) -> Iterator[Violation]:
    """A win against the computer is kept unless the game's end was undone."""
    for game in games:
        if game.against_computer:
            winner = game.events[-1].winner if game.events[-1].status != STARTED else None
            won = winner is not None and {"white": game.white, "black": game.black}[winner] != "computer"
            if won != (game.id in scores.wins):
                yield Violation("progress differs", game.id, f"won {won}, kept {game.id in scores.wins}")


def check_rematches(games: Sequence[Game]) -> Iterator[Violation]:
    """A game has one rematch, of the same players, and was over before."""
    made = {game.id: game for game in games}
    seen: set[str] = set()
    for game in games:
        if not game.rematch_of:
            continue
        first = made.get(game.rematch_of)
        if game.rematch_of in seen:
            yield Violation("two rematches", game.id, f"of {game.rematch_of}")
        seen.add(game.rematch_of)
        if first is None or {first.white, first.black} != {game.white, game.black}:
            yield Violation("rematch of another game", game.id, f"of {game.rematch_of}")
        elif not any(event.status != STARTED and event.at_ms <= game.created_ms for event in first.events):
            yield Violation("rematch before the end", game.id, f"of {game.rematch_of}")
