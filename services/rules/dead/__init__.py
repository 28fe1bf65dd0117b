"""Dead positions and possible mates by proof (FIDE 5.2.2, 6.9). Start with `dead_position`."""
