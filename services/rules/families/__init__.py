"""The rules of each variant: one file for each, with one base class (`family`). `variants` finds the family."""
