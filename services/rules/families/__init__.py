"""What each variant changes in the rules of chess: a file for each, on one base (`family`); `variants` finds them."""
