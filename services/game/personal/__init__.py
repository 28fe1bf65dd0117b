"""Personal data: its export, and closing an account."""
