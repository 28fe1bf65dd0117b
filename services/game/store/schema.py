"""The tables. `migrations/` brings a database here step by step; a test compares the two."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

metadata = sa.MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "pk": "%(table_name)s_pkey",
    }
)

_ms = sa.BigInteger
"""Milliseconds: UTC since the epoch, or a duration."""

player = sa.Table(
    "player",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False, server_default=""),
    sa.Column("guest", sa.Boolean, nullable=False),
    sa.Column("password_hash", sa.Text),
    sa.Column("created_ms", _ms, nullable=False),
    sa.Column("seen_ms", _ms, nullable=False),
    # The number of the last PlayerEvent; events of a player are numbered without gaps.
    sa.Column("event_seq", sa.BigInteger, nullable=False, server_default="0"),
    # Since when nobody can use or find this account; its row goes once nothing tells of it any more.
    sa.Column("closed_ms", _ms),
    sa.Index("player_bot_idx", "id", postgresql_where=sa.text("title = 'BOT'")),
)

closing = sa.Table(
    "closing",
    metadata,
    # An account that was closed and of which something is left, and what it is called in its games from now on.
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("alias", sa.Text, nullable=False),
    sa.Column("closed_ms", _ms, nullable=False),
)

closed_name = sa.Table(
    "closed_name",
    metadata,
    # SHA-256 of the name of an account that was closed.
    sa.Column("hash", sa.LargeBinary, primary_key=True),
)

token = sa.Table(
    "token",
    metadata,
    # SHA-256 of the secret: a stolen database lets nobody in.
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("scopes", pg.ARRAY(sa.Text), nullable=False),
    sa.Column("description", sa.Text, nullable=False, server_default=""),
    # Made by signing in: the oldest of these makes room for a new one.
    sa.Column("sign_in", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_ms", _ms, nullable=False),
)

game = sa.Table(
    "game",
    metadata,
    # What never changes.
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("variant", sa.Text, nullable=False),
    # The protobuf RuleSet and TimeControl, as bytes: they are read whole or not at all.
    sa.Column("rule_set", sa.LargeBinary, nullable=False),
    sa.Column("time_control", sa.LargeBinary, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("initial_fen", sa.Text, nullable=False, server_default=""),
    sa.Column("created_ms", _ms, nullable=False),
    *(
        column
        for side in ("white", "black")
        for column in (
            sa.Column(f"{side}_id", sa.Text, nullable=False),
            sa.Column(f"{side}_name", sa.Text, nullable=False),
            sa.Column(f"{side}_title", sa.Text, nullable=False, server_default=""),
            sa.Column(f"{side}_guest", sa.Boolean, nullable=False),
            sa.Column(f"{side}_level", sa.SmallInteger, nullable=False, server_default="0"),
            # When the game began, rounded; 0 for none.
            sa.Column(f"{side}_rating", sa.SmallInteger, nullable=False, server_default="0"),
            sa.Column(f"{side}_provisional", sa.Boolean, nullable=False, server_default=sa.false()),
        )
    ),
    sa.Column("rematch_of", sa.Text, nullable=False, server_default=""),
    sa.Column("party_id", sa.Text, nullable=False, server_default=""),
    # What each version changes.
    sa.Column("version", sa.Integer, nullable=False),
    # 0 while it lasts, otherwise the protobuf EndReason.
    sa.Column("end_reason", sa.SmallInteger, nullable=False, server_default="0"),
    # The protobuf Color; 0 for nobody.
    sa.Column("winner", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("fen", sa.Text, nullable=False),
    # Position keys since the last irreversible move, 8 bytes each.
    sa.Column("keys", sa.LargeBinary, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("turn", sa.SmallInteger, nullable=False),
    sa.Column("in_check", sa.Boolean, nullable=False),
    sa.Column("legal", sa.Text, nullable=False),
    # Bits: 1 threefold, 2 fifty.
    sa.Column("claims", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("white_ms", _ms, nullable=False),
    sa.Column("black_ms", _ms, nullable=False),
    sa.Column("turn_started_ms", _ms, nullable=False),
    # Before outages are given back; null when over or untimed.
    sa.Column("deadline_ms", _ms),
    # The protobuf DeadlineKind.
    sa.Column("deadline_kind", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("draw_offer", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("last_uci", sa.Text, nullable=False, server_default=""),
    sa.Column("last_san", sa.Text, nullable=False, server_default=""),
    # 1-10 while it is the computer's turn, otherwise 0.
    sa.Column("computer_turn_level", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("ended_ms", _ms),
    # No deadline of this game can pass before; 0 when nothing is known. It changes seldom, so that indexes need not.
    sa.Column("look_ms", _ms, nullable=False, server_default="0"),
    # The protobuf GameExtra: what few games have. Empty in all others.
    sa.Column("extra", sa.LargeBinary, nullable=False, server_default=""),
    # Outside of the versions: the half-move whose player has been reminded of the correspondence limit; -1 for none.
    sa.Column("reminded_ply", sa.Integer, nullable=False, server_default="-1"),
    sa.Index(
        "game_look_idx",
        "deadline_kind",
        "look_ms",
        postgresql_where=sa.text("end_reason = 0 AND deadline_kind > 0"),
    ),
    sa.Index("game_computer_to_move_idx", "id", postgresql_where=sa.text("computer_turn_level > 0")),
    sa.Index("game_white_idx", "white_id", sa.text("created_ms DESC")),
    sa.Index("game_black_idx", "black_id", sa.text("created_ms DESC")),
    sa.Index("game_created_idx", sa.text("created_ms DESC"), sa.text("id DESC")),
    sa.Index("game_variant_idx", "variant", sa.text("created_ms DESC"), sa.text("id DESC")),
    sa.Index("game_rematch_idx", "rematch_of", postgresql_where=sa.text("rematch_of <> ''")),
    sa.Index("game_party_idx", "party_id", postgresql_where=sa.text("party_id <> ''")),
    # The few that go on, among all that a player ever had.
    sa.Index("game_white_ongoing_idx", "white_id", postgresql_where=sa.text("end_reason = 0")),
    sa.Index("game_black_ongoing_idx", "black_id", postgresql_where=sa.text("end_reason = 0")),
    # Room on each page, so that a move updates the row in place (HOT) as long as no index changes.
    postgresql_with={"fillfactor": "70"},
)

game_event = sa.Table(
    "game_event",
    metadata,
    # Of a row of `game`: the statement that inserts takes it from there. A foreign key would look it up once more.
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    # The protobuf GameEvent without legal moves.
    sa.Column("payload", sa.LargeBinary, nullable=False),
    # Of a move; empty otherwise.
    sa.Column("uci", sa.Text, nullable=False, server_default=""),
    sa.Column("san", sa.Text, nullable=False, server_default=""),
    # Of a move: which half-move it was, from 1. The newest event of a half-move is the one that counts: older ones were
    # taken back.
    sa.Column("ply", sa.Integer, nullable=False, server_default="0"),
    sa.Column("by_computer", sa.Boolean, nullable=False, server_default=sa.false()),
    # The mover's clock after the move.
    sa.Column("clock_ms", _ms, nullable=False, server_default="0"),
    sa.Column("at_ms", _ms, nullable=False),
    # The command that did it: (game, player, id) is unique, the digest tells whether a repetition is the same.
    sa.Column("player_id", sa.Text),
    sa.Column("command_id", sa.Text),
    sa.Column("command_digest", sa.LargeBinary),
    sa.Index(
        "game_event_command_idx",
        "game_id",
        "player_id",
        "command_id",
        unique=True,
        postgresql_where=sa.text("command_id IS NOT NULL"),
    ),
)

player_event = sa.Table(
    "player_event",
    metadata,
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    # The protobuf PlayerEvent.
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.Column("at_ms", _ms, nullable=False, index=True),
)

outbox = sa.Table(
    "outbox",
    metadata,
    # 'g' and a game with a version, or 'p' and a player with a seq.
    sa.Column("kind", sa.CHAR(1), primary_key=True),
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("at_ms", _ms, nullable=False, index=True),
    # When a relay last took it; a relay that died leaves it to the next one.
    sa.Column("taken_ms", _ms, nullable=False, server_default="0"),
)

challenge = sa.Table(
    "challenge",
    metadata,
    # Also the id of the game that it becomes.
    sa.Column("id", sa.Text, primary_key=True),
    # The protobuf ChallengeStatus.
    sa.Column("status", sa.SmallInteger, nullable=False),
    sa.Column("open", sa.Boolean, nullable=False),
    sa.Column("challenger_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE")),
    sa.Column("dest_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE")),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("rule_set", sa.LargeBinary, nullable=False),
    sa.Column("time_control", sa.LargeBinary, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    # The protobuf Color that the challenger asked for, and the one that was drawn.
    sa.Column("challenger_color", sa.SmallInteger, nullable=False),
    sa.Column("final_color", sa.SmallInteger, nullable=False),
    sa.Column("initial_fen", sa.Text, nullable=False, server_default=""),
    sa.Column("name", sa.Text, nullable=False, server_default=""),
    sa.Column("keep_alive", sa.Boolean, nullable=False, server_default=sa.false()),
    # Who has which side: of an open challenge that nobody in particular made from the first seat that is taken, of any
    # other once it is accepted.
    sa.Column("white_id", sa.Text),
    sa.Column("black_id", sa.Text),
    sa.Column("created_ms", _ms, nullable=False),
    sa.Column("expires_ms", _ms, nullable=False),
    sa.Column("decline_reason", sa.Text, nullable=False, server_default=""),
    sa.Column("rematch_of", sa.Text, nullable=False, server_default=""),
    sa.Column("counter_to", sa.Text, nullable=False, server_default=""),
    # The only two who may accept an open one, White first; none for anybody.
    sa.Column("user_ids", pg.ARRAY(sa.Text), nullable=False, server_default="{}"),
    sa.Index("challenge_challenger_idx", "challenger_id", postgresql_where=sa.text("status = 1")),
    # For whoever leaves: all that name somebody.
    sa.Index("challenge_challenger_id_idx", "challenger_id"),
    sa.Index("challenge_dest_id_idx", "dest_id"),
    sa.Index("challenge_white_id_idx", "white_id", postgresql_where=sa.text("white_id IS NOT NULL")),
    sa.Index("challenge_black_id_idx", "black_id", postgresql_where=sa.text("black_id IS NOT NULL")),
    sa.Index(
        "challenge_user_ids_idx",
        "user_ids",
        postgresql_using="gin",
        postgresql_where=sa.text("user_ids <> '{}'::text[]"),
    ),
    # One rematch of a game may wait at a time.
    sa.Index(
        "challenge_rematch_idx", "rematch_of", unique=True, postgresql_where=sa.text("status = 1 AND rematch_of <> ''")
    ),
    sa.Index("challenge_dest_idx", "dest_id", postgresql_where=sa.text("status = 1")),
    sa.Index("challenge_expires_idx", "expires_ms", postgresql_where=sa.text("status = 1")),
)

chat_line = sa.Table(
    "chat_line",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("game_id", sa.Text, sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    # The protobuf ChatRoom.
    sa.Column("room", sa.SmallInteger, nullable=False),
    sa.Column("player_id", sa.Text, nullable=False),
    sa.Column("player_name", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at_ms", _ms, nullable=False),
    sa.Index("chat_line_game_idx", "game_id", "room", "id"),
    sa.Index("chat_line_player_idx", "player_id", "at_ms"),
)

conditional_moves = sa.Table(
    "conditional_moves",
    metadata,
    sa.Column("game_id", sa.Text, sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("player_id", sa.Text, primary_key=True),
    # The half-move that the first moves of the lines are for.
    sa.Column("ply", sa.Integer, nullable=False),
    # The protobuf ConditionalLines.
    sa.Column("lines", sa.LargeBinary, nullable=False),
)

vacation = sa.Table(
    "vacation",
    metadata,
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("start_ms", _ms, primary_key=True),
    sa.Column("end_ms", _ms, nullable=False),
)

rating = sa.Table(
    "rating",
    metadata,
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("variant", sa.Text, primary_key=True),
    sa.Column("speed", sa.Text, primary_key=True),
    # Glicko-2, as of `at_ms`, the end of the last rated game.
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("at_ms", _ms, nullable=False),
)

rating_point = sa.Table(
    "rating_point",
    metadata,
    # A rating after a game.
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("speed", sa.Text, nullable=False),
    # The how-manieth of this rating: games may end in the same millisecond.
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("at_ms", _ms, nullable=False),
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Index("rating_point_number_idx", "player_id", "variant", "speed", "number", unique=True),
    sa.Index("rating_point_history_idx", "player_id", "at_ms"),
)

computer_win = sa.Table(
    "computer_win",
    metadata,
    # A person's win against the computer. Progress and badges are counted from these; undoing the end removes it.
    # It outlives the game, where games are kept for a while only.
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("level", sa.SmallInteger, nullable=False),
    sa.Column("helped", sa.Boolean, nullable=False),
    sa.Column("at_ms", _ms, nullable=False),
    sa.Index("computer_win_player_idx", "player_id", "variant", "level"),
)

seek = sa.Table(
    "seek",
    metadata,
    # A row while it waits.
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("rule_set", sa.LargeBinary, nullable=False),
    sa.Column("time_control", sa.LargeBinary, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    # With a clock or a time for each turn: it goes with its maker, and when one of the maker's is paired.
    sa.Column("live", sa.Boolean, nullable=False),
    # The protobuf Color that the seeker wants; 0 for chance.
    sa.Column("color", sa.SmallInteger, nullable=False),
    # The seeker's own, and the opponent's bounds; 0 for none.
    sa.Column("rating", sa.SmallInteger, nullable=False),
    sa.Column("rating_min", sa.SmallInteger, nullable=False),
    sa.Column("rating_max", sa.SmallInteger, nullable=False),
    sa.Column("created_ms", _ms, nullable=False),
    sa.Column("expires_ms", _ms, nullable=False, index=True),
    sa.Index("seek_terms_idx", "variant", "time_control", "rated", "created_ms"),
)

party = sa.Table(
    "party",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("host_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    # The protobuf PartySettings.
    sa.Column("settings", sa.LargeBinary, nullable=False),
    sa.Column("game_id", sa.Text, nullable=False, server_default=""),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("created_ms", _ms, nullable=False),
    # The last change: a party that nobody uses is closed after a while.
    sa.Column("used_ms", _ms, nullable=False),
    sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("party_used_idx", "used_ms", postgresql_where=sa.text("NOT closed")),
)

party_member = sa.Table(
    "party_member",
    metadata,
    sa.Column("party_id", sa.Text, sa.ForeignKey("party.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("joined_ms", _ms, nullable=False),
    sa.Column("spectator", sa.Boolean, nullable=False, server_default=sa.false()),
    # Who plays next: smaller first.
    sa.Column("place", sa.BigInteger, nullable=False),
    # The colour of the last game here, so that the next swaps it; the protobuf Color.
    sa.Column("last_color", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Index("party_member_player_idx", "player_id"),
)

heartbeat = sa.Table(
    "heartbeat",
    metadata,
    # One row, id 1.
    sa.Column("id", sa.SmallInteger, primary_key=True),
    sa.Column("last_ms", _ms, nullable=False),
)

outage = sa.Table(
    "outage",
    metadata,
    sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
    sa.Column("start_ms", _ms, nullable=False),
    sa.Column("end_ms", _ms, nullable=False),
)
