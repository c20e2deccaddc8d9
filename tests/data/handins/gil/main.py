# Regras: responde pontes atacadas, senao estende a corrente
import sys
import os

n = int(os.environ["ARBITRO_SIZE"]) if "ARBITRO_SIZE" in os.environ else 14
cor = sys.argv[1]
minhas = []
dele = []


def livre(x, y):
    return 0 <= x < n and 0 <= y < n and (x, y) not in minhas and (x, y) not in dele


PONTES = [((-2, 1), (-1, 0), (-1, 1)), ((-1, 2), (-1, 1), (0, 1)), ((1, 1), (0, 1), (1, 0)),
          ((2, -1), (1, 0), (1, -1)), ((1, -2), (1, -1), (0, -1)), ((-1, -1), (0, -1), (-1, 0))]


def salva_ponte(ultima):
    for x, y in minhas:
        for salto, um, outro in PONTES:
            if (x + salto[0], y + salto[1]) in minhas:
                a = (x + um[0], y + um[1])
                b = (x + outro[0], y + outro[1])
                if ultima == a and livre(*b):
                    return b
                if ultima == b and livre(*a):
                    return a
    return None


def estende():
    melhor, valor = None, None
    for x in range(n):
        for y in range(n):
            if not livre(x, y):
                continue
            v = -abs(x - n // 2) - abs(y - n // 2)
            for salto, um, outro in PONTES:
                if (x + salto[0], y + salto[1]) in minhas and livre(x + um[0], y + um[1]) and livre(x + outro[0], y + outro[1]):
                    v = v + 5 + 2 * abs(salto[0] if cor == "b" else salto[1])
            if valor is None or v > valor:
                melhor, valor = (x, y), v
    return melhor


vez = "b"
jogadas = 0
ultima = None
while 1:
    if vez == cor:
        lance = (salva_ponte(ultima) if ultima else None) or estende()
        print("%s %s" % lance)
        sys.stdout.flush()
        minhas.append(lance)
    else:
        texto = sys.stdin.readline().split()
        if len(texto) < 2:
            sys.exit()
        lance = int(texto[0]), int(texto[1])
        if jogadas == 1 and lance in minhas:
            minhas, dele = dele, minhas
            cor = "p"
            jogadas = jogadas + 1
            continue
        dele.append(lance)
    ultima = lance
    jogadas = jogadas + 1
    vez = "p" if vez == "b" else "b"
