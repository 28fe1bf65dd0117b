"""Dead positions and possible mates by proof (FIDE 5.2.2, 6.9): `dead_position` is the way in."""
