"""The network as PyTorch sees it, read from a file of arbitro's.

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

    def __init__(self, inputs, padding):
        super().__init__()
        self.padding = padding
        self.weight = nn.Parameter(torch.zeros(CHANNELS, inputs, 3, 3))
        self.bias = nn.Parameter(torch.zeros(CHANNELS))

    def forward(self, x):
        return functional.conv2d(x, self.weight, self.bias, padding=self.padding)


class Net(nn.Module):
    """An input layer, residual blocks of two layers each, and heads for the move, the value and the winning chain."""

    def __init__(self, blocks):
        super().__init__()
        self.input = HexConv(2, padding=0)
        self.layers = nn.ModuleList(HexConv(CHANNELS, padding=1) for _ in range(2 * blocks))
        self.policy = nn.Conv2d(CHANNELS, 1, 1, bias=False)
        self.chain = nn.Conv2d(CHANNELS, 1, 1)
        self.summary = nn.Linear(2 * CHANNELS, SUMMARY)
        self.value = nn.Linear(SUMMARY, 1)

    def forward(self, x):
        x = functional.relu(self.input(x))
        for first, second in zip(self.layers[0::2], self.layers[1::2]):
            x = functional.relu(x + second(functional.relu(first(x))))
        summary = functional.relu(self.summary(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)))
        return self.policy(x).flatten(1), self.value(summary).squeeze(1).tanh(), self.chain(x).flatten(1).tanh()


def read(path):
    """The network in a file of arbitro's: by tap, input and output, the upper half of each number."""
    with open(path, "rb") as file:
        data = file.read()
    body, (checksum,) = data[:-4], struct.unpack("<I", data[-4:])
    assert body.startswith(MAGIC) and zlib.crc32(body) == checksum, f"{path} is not a network"
    channels, blocks = struct.unpack_from("<II", body, len(MAGIC))
    assert channels == CHANNELS
    numbers = numpy.frombuffer(body, "<u2", offset=len(MAGIC) + 8).astype(numpy.uint32) << 16
    numbers = torch.from_numpy(numbers.view(numpy.float32).copy())
    net = Net(blocks)
    position = 0

    def take(*shape):
        nonlocal position
        count = int(numpy.prod(shape))
        position += count
        return numbers[position - count : position].view(*shape)

    def convolution(conv, inputs):
        for row, column in TAPS:
            conv.weight[:, :, row, column] = take(inputs, CHANNELS).T
        conv.bias[:] = take(CHANNELS)

    with torch.no_grad():
        convolution(net.input, 2)
        for layer in net.layers:
            convolution(layer, CHANNELS)
        net.policy.weight[:] = take(1, CHANNELS, 1, 1)
        net.chain.weight[:] = take(1, CHANNELS, 1, 1)
        net.chain.bias[:] = take(1)
        net.summary.weight[:] = take(SUMMARY, 2 * CHANNELS)
        net.summary.bias[:] = take(SUMMARY)
        net.value.weight[:] = take(1, SUMMARY)
        net.value.bias[:] = take(1)
    assert position == len(numbers), f"{path} has {len(numbers)} numbers, not {position}"
    return net


def paint(stones):
    """Planes of own and other stones with painted edges, from stones (0 none, 1 own, 2 other) of shape (batch, n, n)."""
    batch, size, _ = stones.shape
    planes = numpy.zeros((batch, 2, size + 2, size + 2), numpy.float32)
    planes[:, 0, 1:-1, 1:-1] = stones == 1
    planes[:, 1, 1:-1, 1:-1] = stones == 2
    planes[:, 0, [0, -1], :] = 1
    planes[:, 1, 1:-1, [0, -1]] = 1
    return torch.from_numpy(planes)
