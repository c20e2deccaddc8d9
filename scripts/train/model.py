"""The network as PyTorch sees it, and the file that arbitro reads.

Boards come as (own stones, other stones) with the edges painted around them, from the side to move, who joins top and bottom.
"""

import struct
import zlib

import numpy
import torch
from torch import nn
from torch.nn import functional

CHANNELS = 64
SUMMARY = 32
MAGIC = b"arbhex1\n"
# A hexagonal kernel is a square one without two opposite corners. The taps are in the order of the file.
TAPS = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]


class HexConv(nn.Module):
    """A convolution over a cell and its six neighbours."""

    def __init__(self, inputs, padding, gain=1.0):
        super().__init__()
        self.padding = padding
        weight = torch.randn(CHANNELS, inputs, 3, 3) * gain * (2 / (7 * inputs)) ** 0.5
        mask = torch.zeros(3, 3)
        for row, column in TAPS:
            mask[row, column] = 1
        self.weight = nn.Parameter(weight * mask)
        self.bias = nn.Parameter(torch.zeros(CHANNELS))
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x):
        return functional.conv2d(x, self.weight * self.mask, self.bias, padding=self.padding)


class Net(nn.Module):
    def __init__(self, blocks=6):
        super().__init__()
        self.blocks = blocks
        self.input = HexConv(2, padding=0)
        # The second layer of a block begins small, which is what batch normalisation is otherwise needed for.
        self.layers = nn.ModuleList(
            HexConv(CHANNELS, padding=1, gain=0.3 if second else 1.0) for _ in range(blocks) for second in (0, 1)
        )
        self.policy = nn.Conv2d(CHANNELS, 1, 1, bias=False)
        self.chain = nn.Conv2d(CHANNELS, 1, 1)  # who wins through a cell: helps learning, and is not in the file
        self.summary = nn.Linear(2 * CHANNELS, SUMMARY)
        self.value = nn.Linear(SUMMARY, 1)
        nn.init.normal_(self.policy.weight, std=0.05)

    def forward(self, x):
        x = functional.relu(self.input(x))
        for first, second in zip(self.layers[0::2], self.layers[1::2]):
            x = functional.relu(x + second(functional.relu(first(x))))
        x = x.float()
        summary = functional.relu(self.summary(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)))
        return self.policy(x).flatten(1), self.value(summary).squeeze(1), self.chain(x).flatten(1)


def halves(tensor):
    """The upper halves of the floats, rounded to nearest even."""
    return tensor.detach().to(torch.bfloat16).contiguous().view(torch.int16).numpy().astype("<i2").tobytes()


def export(net, path):
    """Writes the file that arbitro reads."""

    def taps(conv):  # by tap, input and output
        return torch.stack([conv.weight[:, :, row, column].T for row, column in TAPS])

    parts = [taps(net.input), net.input.bias]
    for layer in net.layers:
        parts += [taps(layer), layer.bias]
    parts += [net.policy.weight, net.summary.weight, net.summary.bias, net.value.weight, net.value.bias]
    body = MAGIC + struct.pack("<II", CHANNELS, net.blocks) + b"".join(halves(part) for part in parts)
    with open(path, "wb") as file:
        file.write(body + struct.pack("<I", zlib.crc32(body)))


def paint(stones):
    """Planes of own and other stones with painted edges, from stones (0 none, 1 own, 2 other) of shape (batch, n, n)."""
    batch, size, _ = stones.shape
    planes = numpy.zeros((batch, 2, size + 2, size + 2), numpy.float32)
    planes[:, 0, 1:-1, 1:-1] = stones == 1
    planes[:, 1, 1:-1, 1:-1] = stones == 2
    planes[:, 0, [0, -1], :] = 1
    planes[:, 1, 1:-1, [0, -1]] = 1
    return torch.from_numpy(planes)
