"""PostgreSQL: the tables, their migrations, and the statements on games and players."""
