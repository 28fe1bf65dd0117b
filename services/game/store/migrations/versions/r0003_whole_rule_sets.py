"""Rule sets had three fields: games and challenges of that time say in all the others what they were played by."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

LATER_FIELDS = bytes.fromhex("200228013002380140014801500158016001")
"""Fields 4 to 12 of a RuleSet: dead by material, the flag decides at once, resigning loses, agreement at any time, an
absent player's clock runs, late correspondence is closed at once, no takeback, a rated draw is half a point, colours
swap in a rematch. One message after another is both of them merged, in messages within messages too."""

ROWS_AT_ONCE = 1_000


def field(number: int, content: bytes) -> bytes:
    """A message that has nothing but this field, which is a short message itself."""
    return bytes([number << 3 | 2, len(content)]) + content


IN_INFO = field(3, LATER_FIELDS)
"""Of a GameInfo."""
IN_SUMMARY = field(1, IN_INFO)
IN_CHALLENGE = field(6, LATER_FIELDS)
IN_GAME_EVENT = field(4, IN_INFO)
IN_PLAYER_EVENT = {
    3: field(3, IN_CHALLENGE),
    4: field(4, IN_CHALLENGE),
    5: field(5, IN_CHALLENGE),
    6: field(6, IN_SUMMARY),
    7: field(7, IN_SUMMARY),
}
"""By the number of the field that says what kind of event it is."""


def upgrade() -> None:
    """Add the fields wherever a rule set is kept."""
    connection = op.get_bind()
    for statement in (
        "UPDATE game SET rule_set = rule_set || :more",
        "UPDATE challenge SET rule_set = rule_set || :more",
    ):
        connection.execute(sa.text(statement), {"more": LATER_FIELDS})
    created = "UPDATE game_event SET payload = payload || :more WHERE version = 1"
    connection.execute(sa.text(created), {"more": IN_GAME_EVENT})
    _player_events(connection)


def _player_events(connection: sa.Connection) -> None:
    """The same for what players were told: a week of it is kept."""
    player_id, seq = "", -1
    page = sa.text(
        "SELECT player_id, seq, payload FROM player_event WHERE (player_id, seq) > (:player_id, :seq)"
        " ORDER BY player_id, seq LIMIT :most"
    )
    update = sa.text("UPDATE player_event SET payload = payload || :more WHERE player_id = :player_id AND seq = :seq")
    while rows := connection.execute(page, {"player_id": player_id, "seq": seq, "most": ROWS_AT_ONCE}).all():
        changes = [
            {"player_id": row.player_id, "seq": row.seq, "more": IN_PLAYER_EVENT[kind]}
            for row in rows
            if (kind := _kind(bytes(row.payload))) in IN_PLAYER_EVENT
        ]
        if changes:
            connection.execute(update, changes)
        player_id, seq = rows[-1].player_id, rows[-1].seq


def _kind(payload: bytes) -> int:
    """The number of the field behind the player's id and the number of the event; 0 for none."""
    place = 0
    while place < len(payload):
        number, wire_type = payload[place] >> 3, payload[place] & 7
        if number >= 3:
            return number
        place += 1
        if wire_type == 2:
            place += 1 + payload[place]  # an id has at most 30 characters
        else:
            while payload[place] & 0x80:
                place += 1
            place += 1
    return 0
