#!/usr/bin/env python3
from tabuleiro import Tabuleiro
from estrategia import melhor
import sys

t = Tabuleiro(14)
eu = sys.argv[1]
vez = eu == "b"
while True:
    if vez:
        jogada = melhor(t, eu)
        if jogada is None:
            break
        t.marca(*jogada, eu)
        print(*jogada)
        sys.stdout.flush()
    else:
        linha = sys.stdin.readline()
        if not linha:
            break
        t.marca(*map(int, linha.split()), "x")
    vez = not vez
