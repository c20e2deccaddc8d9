#!/usr/bin/env python3
"""Compares what arbitro-ref computes with PyTorch, an independent program, on random positions of many sizes.

Needs torch and numpy from PyPI: pip install torch numpy

    scripts/train/check.py target/release/arbitro-ref src/engine/hex/net/weights.bin [KERNEL...]
"""

import subprocess
import sys

import numpy
import torch

from model import paint, read

POSITIONS = 1000
# How far off a value, or a logit as a part of the largest one, may be: rounding, which is coarser in the matrix unit.
ROUNDING = {"amx": 0.1}
FINE = 1e-3


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, weights, *kernels = sys.argv[1:]
    seed = numpy.random.SeedSequence().entropy % 2**32
    print(f"seed {seed}")
    rng = numpy.random.default_rng(seed)
    boards = []
    for _ in range(POSITIONS):
        size = rng.integers(3, 20)
        full = rng.random() * 0.8
        boards.append(rng.choice(3, p=[1 - full, full / 2, full / 2], size=(1, size, size)))
    lines = "".join("".join(".ox"[cell] for cell in board.flatten()) + "\n" for board in boards)
    net = read(weights)
    with torch.no_grad():
        expected = [net(paint(board)) for board in boards]
    worst = 0
    for kernel in kernels or ["plain", "avx2"]:
        command = [program, "evaluate", "--network", weights, "--kernel", kernel]
        answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        assert len(answers) == POSITIONS
        values, logits, agree = [], [], 0
        for answer, (policy, value, _), board in zip(answers, expected, boards):
            numbers = numpy.array(answer.split(), dtype=numpy.float32)
            policy = policy[0].numpy()
            values.append(abs(numbers[0] - value.item()))
            logits.append(numpy.abs(numbers[1:] - policy).max() / max(1.0, numpy.abs(policy).max()))
            free = board.flatten() == 0
            if free.any():
                agree += numpy.where(free, numbers[1:], -1e9).argmax() == numpy.where(free, policy, -1e9).argmax()
        rounding = ROUNDING.get(kernel, FINE)
        good = max(values) <= rounding and max(logits) <= rounding
        print(
            f"{kernel}: {POSITIONS} positions, values at most {max(values):.2g} apart, logits {max(logits):.2g} of the largest, "
            f"the same best move in {agree}: {'good' if good else 'NOT GOOD'}"
        )
        worst += not good
    sys.exit(worst > 0)


if __name__ == "__main__":
    main()
