"""Who is connected and who has left a board, recorded in Redis."""
