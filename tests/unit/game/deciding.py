"""One way to try a command on a game: the time, the rules' answer and who is away are handed in.

`ask` takes the rules' answer from the test, `attempt` has every move legal and everybody able to mate; `after` and
`changed` go on with what came of it, `code` is why nothing did.
"""

from dataclasses import replace

from services.domain.clock import ChessClock, Outages
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED, FIDE, RuleSet, Takeback
from services.domain.time_control import ClockControl, TimeControl
from services.game.play.change import Change, Decision
from services.game.play.command import Action, Command
from services.game.play.commands.flags import Abandon, Flag
from services.game.play.commands.moving import Move
from services.game.play.decision import decide, needs_past, needs_presence, prepare
from services.game.play.game import Both, Game, Limits, Seat, Standing, Terms, computer_seat
from services.game.play.moment import NO_FACTS, UNKNOWN, Facts, Past
from services.game.play.question import CanMate, Forfeit, Forfeited, Play, Played, Question, Start, Verdict

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000
LIMITS = Limits(day_ms=DAY, first_move_ms=30 * SECOND, flag_grace_ms=100)
NO_OUTAGE = Outages()
W, B = Colour.WHITE, Colour.BLACK
WHITE, BLACK, COMPUTER = Seat("anna", "Anna"), Seat("bert", "Bert"), computer_seat(3)
LAWS = replace(FIDE, takeback=Takeback.BY_CONSENT)
CLOCK = ClockControl(MINUTE, SECOND)
KEYS = b"k" * 8


def standing(turn: Colour, claims: frozenset[Claim] = frozenset(), outcome: Outcome | None = None) -> Standing:
    """A position that differs in nothing but the side to move and what it gives."""
    return Standing("fen", KEYS, turn, False, "e2e4", claims, outcome)


def played(turn: Colour, outcome: Outcome | None = None, claims: frozenset[Claim] = frozenset()) -> Played:
    """The rules' answer to a move: it is legal, and whose turn it is then."""
    return Played("e2e4", "e4", replace(standing(turn, claims, outcome), fen="after", keys=KEYS * 2))


def forfeited(winner: Colour | None, reason: EndReason = EndReason.FLAG, *, undetermined: bool = False) -> Forfeited:
    """The rules' answer to a fallen flag or a resignation."""
    can_mate = CanMate.UNKNOWN if undetermined else CanMate.NO if winner is None else CanMate.YES
    return Forfeited(Outcome(winner, reason), can_mate, undetermined)


def game(
    moves: int = 0, control: TimeControl = CLOCK, rule_set: RuleSet = LAWS, black: Seat = BLACK, think_ms: int = SECOND
) -> Game:
    """A game after some moves, each of which took `think_ms`."""
    terms = Terms("game0001", "standard", rule_set, control, WHITE, black, False, "friend", "", 0)
    made = Game(terms, 1, standing(W), ChessClock.start(control, W, 0))
    for number in range(moves):
        made = after(made, list(Colour)[number % 2], Move("e2e4"), think_ms * (number + 1))
    return made


def new_game(control: TimeControl = CLOCK, black: Seat = BLACK, rule_set: RuleSet = CLAIMED) -> Game:
    """A game before its first move, in which draws are claimed."""
    return game(0, control, rule_set, black)


def both_moved(begun: Game | None = None) -> Game:
    """That game, or another one, after a move of each, a second apart."""
    one = changed(ask(begun or new_game(), "anna", Move("e2e4"), SECOND, played(B)))
    return changed(ask(one, "bert", Move("e7e5"), 2 * SECOND, played(W)))


def question(
    game: Game,
    player_id: str,
    action: Action,
    now_ms: int,
    outages: Outages = NO_OUTAGE,
    facts: Facts = NO_FACTS,
) -> Question | None:
    """What the rules are asked before the command is decided."""
    return prepare(game, _command(game, player_id, action, now_ms), LIMITS, outages, facts)


def past_asked(game: Game, player_id: str, action: Action, now_ms: int) -> int | None:
    """After which ply the past is read before the command is decided."""
    return needs_past(game, _command(game, player_id, action, now_ms))


def its_flag_due(rule_set: RuleSet = LAWS) -> Game:
    """A game in which it is the computer's turn, and the computer has used up all its time."""
    thinking = game(3, rule_set=rule_set, black=COMPUTER)
    return replace(thinking, clock=replace(thinking.clock, black_ms=0))


def ask(
    game: Game,
    player_id: str,
    action: Action,
    now_ms: int,
    verdict: Verdict | None = None,
    outages: Outages = NO_OUTAGE,
    facts: Facts = NO_FACTS,
) -> Decision:
    """What becomes of a command with this answer of the rules; without one they may not have been asked."""
    asked = question(game, player_id, action, now_ms, outages, facts)
    assert (asked is not None) == (verdict is not None), asked
    return decide(game, _command(game, player_id, action, now_ms), verdict, LIMITS, outages, facts)


def attempt(
    game: Game, player_id: str, action: Action, now_ms: int, away_ms: Both[int | None] = UNKNOWN, *, past: bool = True
) -> Decision:
    """What becomes of a command, as the commit path carries it: facts, question, verdict, decision.

    A flag is of the game's newest version.
    """
    if isinstance(action, Flag | Abandon):
        action = replace(action, version=game.version)
    command = _command(game, player_id, action, now_ms)
    ply = needs_past(game, command)
    facts = NO_FACTS
    if ply is not None and past:
        facts = Facts(Past(ply, ("e2e4",) * ply, 50_000 + ply, 40_000 + ply, "e2e4" * (ply > 0), "e4" * (ply > 0)))
    if needs_presence(game, command):
        facts = replace(facts, away_ms=away_ms)
    verdict = _answer(game, prepare(game, command, LIMITS, NO_OUTAGE, facts))
    return decide(game, command, verdict, LIMITS, NO_OUTAGE, facts)


def after(game: Game, by: Colour | None, action: Action, now_ms: int, away_ms: Both[int | None] = UNKNOWN) -> Game:
    """The game after a command that is allowed; `by` None is the clock."""
    player_id = "" if by is None else game.terms.seat(by).player_id
    return changed(attempt(game, player_id, action, now_ms, away_ms))


def changed(decision: Decision) -> Game:
    """The game after a decision that changed it."""
    assert isinstance(decision, Change), decision
    return decision.game


def code(decision: Decision) -> RefusalCode:
    """Why a command was refused."""
    assert isinstance(decision, Refusal), decision
    return decision.code


def _command(game: Game, player_id: str, action: Action, now_ms: int) -> Command:
    return Command(game.terms.id, player_id, "c1", action, b"", now_ms)


def _answer(game: Game, question: Question | None) -> Verdict | None:
    match question:
        case Play():
            return Played("e2e4", "e4", standing(game.turn.other))
        case Forfeit(loser=loser):
            return forfeited(loser.other)
        case Start(moves=moves):
            return standing(list(Colour)[len(moves) % 2])
    return None
