"""`make chaos`: fault injection under play, and a checker that knows every acknowledged move.

facts        the known facts of a game: its row, its events, what its clients did and saw
arithmetic   the checker's own clock: time left, when time is up, what an outage gives back
history      is a game's history complete and correct: versions, one end, moves, positions, clocks, flags?
answers      is each acknowledged command in the history exactly once, and was each refusal right?
outages      does the database have each real outage exactly once, and no other?
absences     was a player who lost by absence, or whose seat a computer took, really away?
conditionals is each conditional move played together with the move that it answers, and never otherwise?
scores       do ratings and progress follow exactly from the ends of games?
database     reads the facts directly from PostgreSQL
demands      did the run have enough to check?
mind         the decisions of a simulated player
line         a client's connection, which reconnects by itself
player       a client of docs/protocol.md for one seat, which records all that it sent and received
arranging    how a game starts: link, lobby, rematch, computer
table        a place at which one game after the other is played
ground       the environment: a stack of processes, or of pods (tests/cluster)
faults       the faults, by name
run          plays, injects faults, waits for recovery, checks
going_on     does play go on after a fault?
report       the JSON line

The checks share no code with the services: they follow product.md and the architecture's guarantees.
"""
