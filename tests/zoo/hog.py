#!/usr/bin/env python3
"""Takes all the memory there is, in a language that says so when there is no more."""
blocks = []
while True:
    blocks.append(bytearray(1 << 20))
