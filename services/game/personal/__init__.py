"""What is kept of a person, and how it goes: one's own data, closing an account."""
