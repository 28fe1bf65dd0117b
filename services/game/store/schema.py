"""The tables. `migrations/` makes the same tables step by step; a test compares the two."""

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
    # When the account was closed: it cannot be used or found. The row is deleted when nothing refers to it any more.
    sa.Column("closed_ms", _ms),
    sa.Index("player_bot_idx", "id", postgresql_where=sa.text("title = 'BOT'")),
)

closing = sa.Table(
    "closing",
    metadata,
    # A closed account whose data is not fully deleted yet, and its new name in its games.
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("alias", sa.Text, nullable=False),
    sa.Column("closed_ms", _ms, nullable=False),
)

closed_name = sa.Table(
    "closed_name",
    metadata,
    # SHA-256 of the name of a closed account.
    sa.Column("hash", sa.LargeBinary, primary_key=True),
)

token = sa.Table(
    "token",
    metadata,
    # SHA-256 of the token: a stolen database gives no access.
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("scopes", pg.ARRAY(sa.Text), nullable=False),
    sa.Column("description", sa.Text, nullable=False, server_default=""),
    # Made by signing in: at the limit, the oldest of these is deleted for a new one.
    sa.Column("sign_in", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_ms", _ms, nullable=False),
)

game = sa.Table(
    "game",
    metadata,
    # What never changes.
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("variant", sa.Text, nullable=False),
    # The protobuf RuleSet and TimeControl, as bytes.
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
            # The rating when the game began, rounded; 0 for none.
            sa.Column(f"{side}_rating", sa.SmallInteger, nullable=False, server_default="0"),
            sa.Column(f"{side}_provisional", sa.Boolean, nullable=False, server_default=sa.false()),
        )
    ),
    sa.Column("rematch_of", sa.Text, nullable=False, server_default=""),
    sa.Column("party_id", sa.Text, nullable=False, server_default=""),
    # What may change with each version.
    sa.Column("version", sa.Integer, nullable=False),
    # 0 while the game goes on, otherwise the protobuf EndReason.
    sa.Column("end_reason", sa.SmallInteger, nullable=False, server_default="0"),
    # The protobuf Color; 0 for no winner.
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
    # Without the time given back for outages; null if over or untimed.
    sa.Column("deadline_ms", _ms),
    # The protobuf DeadlineKind.
    sa.Column("deadline_kind", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("draw_offer", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("last_uci", sa.Text, nullable=False, server_default=""),
    sa.Column("last_san", sa.Text, nullable=False, server_default=""),
    # 1-10 while it is the computer's turn, otherwise 0.
    sa.Column("computer_turn_level", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("ended_ms", _ms),
    # No deadline can pass before this time; 0 for unknown. It changes rarely, so the index rarely needs an update.
    sa.Column("look_ms", _ms, nullable=False, server_default="0"),
    # The protobuf GameExtra: fields that few games use. Empty for most games.
    sa.Column("extra", sa.LargeBinary, nullable=False, server_default=""),
    # Not part of a version: the half-move for which a correspondence reminder was sent; -1 for none.
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
    # Only the running games of a player, which are few.
    sa.Index("game_white_ongoing_idx", "white_id", postgresql_where=sa.text("end_reason = 0")),
    sa.Index("game_black_ongoing_idx", "black_id", postgresql_where=sa.text("end_reason = 0")),
    # Free space on each page, so that a move updates the row in place (HOT) if no index changes.
    postgresql_with={"fillfactor": "70"},
)

game_event = sa.Table(
    "game_event",
    metadata,
    # No foreign key to `game`: the inserting statement reads the id from there, and a key would check it again.
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    # The protobuf GameEvent without legal moves.
    sa.Column("payload", sa.LargeBinary, nullable=False),
    # Only for a move; otherwise empty.
    sa.Column("uci", sa.Text, nullable=False, server_default=""),
    sa.Column("san", sa.Text, nullable=False, server_default=""),
    # Only for a move: its half-move, from 1. Only the newest event of a half-move counts: older ones were taken back.
    sa.Column("ply", sa.Integer, nullable=False, server_default="0"),
    sa.Column("by_computer", sa.Boolean, nullable=False, server_default=sa.false()),
    # The time left on the mover's clock after the move.
    sa.Column("clock_ms", _ms, nullable=False, server_default="0"),
    sa.Column("at_ms", _ms, nullable=False),
    # The command of the change: (game, player, id) is unique. The digest shows whether a retry is the same command.
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
    # Kind 'g': a game id and a version. Kind 'p': a player id and a seq.
    sa.Column("kind", sa.CHAR(1), primary_key=True),
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("at_ms", _ms, nullable=False, index=True),
    # When a relay last took this row. If that relay died, another one takes the row later.
    sa.Column("taken_ms", _ms, nullable=False, server_default="0"),
)

challenge = sa.Table(
    "challenge",
    metadata,
    # Also the id of the game, if the challenge is accepted.
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
    # The protobuf Color that the challenger asked for, and the final one.
    sa.Column("challenger_color", sa.SmallInteger, nullable=False),
    sa.Column("final_color", sa.SmallInteger, nullable=False),
    sa.Column("initial_fen", sa.Text, nullable=False, server_default=""),
    sa.Column("name", sa.Text, nullable=False, server_default=""),
    sa.Column("keep_alive", sa.Boolean, nullable=False, server_default=sa.false()),
    # The players of the sides. Set when the challenge is accepted; for an open challenge without a challenger, each is
    # set when that seat is taken.
    sa.Column("white_id", sa.Text),
    sa.Column("black_id", sa.Text),
    sa.Column("created_ms", _ms, nullable=False),
    sa.Column("expires_ms", _ms, nullable=False),
    sa.Column("decline_reason", sa.Text, nullable=False, server_default=""),
    sa.Column("rematch_of", sa.Text, nullable=False, server_default=""),
    sa.Column("counter_to", sa.Text, nullable=False, server_default=""),
    # The only two players who may accept an open challenge, White first; empty if anyone may.
    sa.Column("user_ids", pg.ARRAY(sa.Text), nullable=False, server_default="{}"),
    sa.Index("challenge_challenger_idx", "challenger_id", postgresql_where=sa.text("status = 1")),
    # For closing an account: all challenges that name a player.
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
    # At most one rematch challenge per game may wait at a time.
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
    # The half-move of the first moves in the lines.
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
    # Glicko-2 values at `at_ms`, the end of the last rated game.
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("at_ms", _ms, nullable=False),
)

rating_point = sa.Table(
    "rating_point",
    metadata,
    # A player's rating after a game.
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("speed", sa.Text, nullable=False),
    # The number of this point in the rating's history: games may end in the same millisecond.
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
    # A person's win against the computer. Progress and badges are counted from these rows. Undoing the end of the game
    # deletes the row. The row stays when an old game is deleted.
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
    # A row exists only while the seek waits.
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("player_id", sa.Text, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("rule_set", sa.LargeBinary, nullable=False),
    sa.Column("time_control", sa.LargeBinary, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    # The game has a clock or a limit per move: the seek ends when its maker leaves or a live game of the maker begins.
    sa.Column("live", sa.Boolean, nullable=False),
    # The protobuf Color that the seeker wants; 0 for a random one.
    sa.Column("color", sa.SmallInteger, nullable=False),
    # The seeker's own rating, and the bounds for the opponent's; 0 for none.
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
    # The last change: an unused party is closed after some time.
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
    # The place in the queue for the next game: smaller first.
    sa.Column("place", sa.BigInteger, nullable=False),
    # The protobuf Color of the player's last game in this party, so that the next game can swap it.
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
