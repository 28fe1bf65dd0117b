"""What is done now and then: ending what has expired, deleting what is too old."""
