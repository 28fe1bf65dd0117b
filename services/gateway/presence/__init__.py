"""Who is connected and who has left a board, noted in Redis."""
