"""A client of docs/protocol.md for one seat of one game; it records everything that it sent and received.

It does what the protocol asks of a client (the connection's part is in `line`). Sometimes it repeats an answered
command, which must get the same answer.
"""

import asyncio
import time
from dataclasses import dataclass, field

import httpx

from tests.chaos.facts import GIVEN_MS, MOVE, STARTED, Command, Lines, Seen
from tests.chaos.line import OPEN_WITHIN_S, Frame, Line, now_ms, text_of
from tests.chaos.mind import choose, foreseen, has_to_decide

BUSY_PAUSE_S = 0.3
AGAIN_S = (1.0, 3.0)
"""The pause between claims that the opponent is absent."""
EXPECTED = frozenset(["time_is_up", "game_over"])
"""Refusals that a correct client may get."""
OVERTAKEN = frozenset(["stale_version", "not_your_turn", "not_allowed"])
"""Refusals of a move that a takeback, a pause or the own seat's computer has overtaken; the checker looks for it."""


@dataclass(slots=True)
class Player(Line):
    """Use `async with`."""

    moved_ms: int = 0
    """When the last new event arrived, or the last own command was answered."""
    acks_ms: list[int] = field(default_factory=list)
    """When moves were acknowledged for the first time."""
    ack_s: list[float] = field(default_factory=list)
    repeated: int = 0
    resting: bool = False
    """Whether it sends no more commands."""
    _revived: bool = False
    _began_s: dict[str, float] = field(default_factory=dict)
    _sent: int = 0
    _thought: int = 0

    @property
    def over(self) -> bool:
        """Whether this client knows that the game is over."""
        return bool(self.state) and self.state["status"] != STARTED

    @property
    def version(self) -> int:
        """The last version applied."""
        return self._version

    @property
    def owes(self) -> int:
        """The commands without an answer."""
        return len(self._owed)

    @property
    def asleep(self) -> bool:
        """Whether it is this player's turn and no move will come."""
        after = self.style.sleeps_after
        if after is None or not self.state or self.over or self.state["turn"] != self.seat.colour:
            return False
        if "paused" in self.state or "withoutClock" in self.state:
            return False  # its flag has woken it
        return int(self.state["ply"]) // 2 >= after

    def _begin(self) -> None:
        if self.style.claims:
            self._spawn(self._claim())

    async def _claim(self) -> None:
        """Repeatedly claim a win by absence: it must fail as long as the opponent is present."""
        while True:
            await asyncio.sleep(self.chance.uniform(*AGAIN_S))
            if self.resumed and not self._owed and not self.over and not self.resting and not self.away:
                await self._command("win", "")

    def _frame(self, frame: Frame) -> None:
        match frame["t"]:
            case "full":
                self._present()
                self.seat.wholes.append((frame["v"], tuple(move["uci"] for move in frame["moves"])))
                if frame["v"] < self._version:
                    self.seat.complaints.append(f"a whole game of version {frame['v']} after {self._version}")
                self._apply(frame["v"], frame["state"])
            case "events":
                self._present()
                for event in frame["events"]:
                    self._event(event)
                self._consider()
            case "event":
                self._event(frame)
            case "ack":
                self._acked(frame)
            case "nack":
                self._refused(frame)
            case "gone" | "error":
                self.seat.complaints.append(f"heard {frame}")

    def _event(self, event: Frame) -> None:
        version, state = event["v"], event["state"]
        if version > self._version + 1:
            self.seat.complaints.append(f"version {version} after {self._version}")
            self._spawn(self._subscribe())
        last = state["lastMove"] or {"uci": "", "san": ""}
        seen = Seen(event["kind"], state["status"], state["ply"], state["fen"], last["uci"], last["san"])
        if self.seat.seen.setdefault(version, seen) != seen:
            self.seat.complaints.append(f"version {version} is {seen} and was {self.seat.seen[version]}")
        self._apply(version, state)

    def _apply(self, version: int, state: Frame) -> None:
        if version <= self._version:
            return
        self._version, self.state = version, state
        self.moved_ms = now_ms()
        self._consider()

    def _consider(self) -> None:
        """Start to think if there is a new decision to make."""
        if self.resting or self._owed or self.away or self._thought == self._version:
            return
        if self.over:
            if not self._revived and self.state["status"] == "ended":
                self._revived = True
                if self.chance.random() < self.style.revives:
                    self._spawn(self._write(self._note("undo", "")))
        elif not self.asleep and has_to_decide(self.state, self.seat.colour, self.style):
            self._thought = self._version
            self._spawn(self._think(self._version))

    async def _think(self, version: int) -> None:
        await asyncio.sleep(self.chance.uniform(*self.style.think_s))
        if self._version != version:
            return  # another thought has begun
        if self.resting or self._owed or self.away or not self._knows_moves():
            self._thought = 0
            return
        if self.style.leaves and not self.seat.left and int(self.state["ply"]) // 2 >= self.style.leaves:
            await self._leave()
            self._thought = 0
        elif self.style.foresees and self.state["turn"] != self.seat.colour:
            await self._foresee()
        elif (doing := choose(self.state, self.seat.colour, self.style, self.chance)) is not None:
            await self._command(*doing)

    def _knows_moves(self) -> bool:
        return self.state["turn"] != self.seat.colour or "paused" in self.state or bool(self.state.get("legal"))

    async def _foresee(self) -> None:
        """Set conditional moves, once; whether that was done is known only when it is answered."""
        answers = foreseen(self.state, self.chance)
        lines = Lines(int(self.state["ply"]), answers, now_ms())
        self.seat.lines.append(lines)
        url = f"{self.chance.choice(self.gateways)}/api/flagfall/games/{self.seat.game_id}/conditional-moves"
        text = ", ".join(f"{move} {answer}" for move, answer in answers.items())
        try:
            async with httpx.AsyncClient(timeout=OPEN_WITHIN_S, verify=False) as client:
                sent = await client.post(url, json={"lines": text}, headers={"Authorization": f"Bearer {self.token}"})
        except httpx.HTTPError:
            return
        if sent.is_success:
            lines.acked_ms = now_ms()

    def _note(self, kind: str, text: str) -> str:
        """A new command that is owed an answer; returns its id."""
        self._sent += 1
        command = Command(f"{kind}{self._sent}", kind, text, self.state["ply"], self._version, now_ms())
        self.seat.commands[command.id] = command
        frame: Frame = {"t": kind, "game": self.seat.game_id, "id": command.id}
        if kind == MOVE:
            frame |= {"move": text, "ply": command.ply}
        elif kind == "givetime":
            frame["seconds"] = GIVEN_MS // 1000
        self._owed[command.id] = text_of(frame)
        self._began_s[command.id] = time.perf_counter()
        return command.id

    async def _command(self, kind: str, text: str) -> None:
        await self._write(self._note(kind, text))

    def _acked(self, frame: Frame) -> None:
        command = self.seat.commands[frame["id"]]
        if command.acked is not None:
            if frame["v"] != command.acked or not frame.get("repeated"):
                self.seat.complaints.append(f"{command.id} was version {command.acked}, and sent again: {frame}")
            self.repeated += 1
            self._owed.pop(command.id, None)
            self._consider()
            return
        if command.refused:
            self.seat.complaints.append(f"{command.id} was refused as {command.refused} and then done: {frame}")
        text = self._answered(command)
        command.acked = frame["v"]
        if command.kind == MOVE:
            self.acks_ms.append(now_ms())
        self.ack_s.append(time.perf_counter() - self._began_s.pop(command.id))
        if text is not None and self.chance.random() < self.style.repeats and not self.resting:
            self._owed[command.id] = text
            self._spawn(self._write(command.id))
            return
        self._consider()

    def _refused(self, frame: Frame) -> None:
        command = self.seat.commands[frame["id"]]
        if frame["code"] == "unavailable":
            self._spawn(self._later(command.id))
            return
        self._answered(command)
        if command.acked is not None:
            self.seat.complaints.append(f"{command.id} was version {command.acked}, and sent again: {frame}")
            return
        command.refused = frame["code"]
        if frame["code"] in EXPECTED:
            return  # the end will be heard
        if command.kind in (MOVE, "resign") and not (command.kind == MOVE and frame["code"] in OVERTAKEN):
            self.seat.complaints.append(f"{command.id} ({command.text}, ply {command.ply}) was refused: {frame}")
        if command.kind != "win":
            self._thought = 0
        self._consider()

    def _answered(self, command: Command) -> str | None:
        self.moved_ms = command.answered_ms = now_ms()
        return self._owed.pop(command.id, None)

    async def _later(self, command_id: str) -> None:
        await asyncio.sleep(BUSY_PAUSE_S * self.chance.uniform(0.5, 1.5))
        await self._write(command_id)
