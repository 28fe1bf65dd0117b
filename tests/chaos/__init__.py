"""`make chaos`: fault injection under play, and a checker that knows every acknowledged move.

facts        what is known of a game: its row, its events, what its clients did and saw
arithmetic   the checker's own clock: who has how much, when time is up, what an outage gives back
history      is a game's history whole and right? versions, the one end, moves, positions, clocks, flags
answers      is what the clients were told in the history, once, and is what they were refused rightly refused?
outages      is each outage in the database one that was there, once, and is each one that was there in it?
absences     was whoever lost by absence, or whose seat a computer took, truly away?
conditionals is a conditional move played with the move that it waits for, and never else?
scores       are ratings and progress what the ends of games made of them?
database     reads the facts straight from PostgreSQL
demands      was there anything to check?
mind         what somebody does at a board
line         a client's connection, which comes back by itself
player       a client of docs/protocol.md for one seat, which writes down all it did and saw
arranging    how a game comes to be: link, lobby, rematch, computer
table        a place at which one game after the other is played
ground       what is played on: a stack of processes, or of pods (tests/cluster)
faults       what is done to the stack, by name
run          plays, breaks, waits until all go on, checks
going_on     does play go on after a fault?
report       the JSON line

The checks share no code with the services: they follow product.md and the architecture's guarantees.
"""
