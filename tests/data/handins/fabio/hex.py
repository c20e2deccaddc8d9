"""Dijkstra with a heap, and a class for the game."""
import heapq
import os
import sys


class Tabuleiro:
    def __init__(self, n):
        self.n = n
        self.casas = {}

    def vizinhas(self, casa):
        x, y = casa
        for v in [(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y), (x + 1, y - 1), (x - 1, y + 1)]:
            if min(v) >= 0 and max(v) < self.n:
                yield v

    def custo(self, casa, cor):
        dono = self.casas.get(casa)
        if dono is None:
            return 1
        return 0 if dono == cor else None

    def caminho(self, cor):
        """The empty cells of a shortest path of this colour, and its length."""
        fila = []
        for i in range(self.n):
            casa = (0, i) if cor == 'b' else (i, 0)
            c = self.custo(casa, cor)
            if c is not None:
                heapq.heappush(fila, (c, casa, None))
        veio = {}
        while fila:
            d, casa, antes = heapq.heappop(fila)
            if casa in veio:
                continue
            veio[casa] = antes
            if casa[0 if cor == 'b' else 1] == self.n - 1:
                trajeto = []
                while casa is not None:
                    if casa not in self.casas:
                        trajeto.append(casa)
                    casa = veio[casa]
                return d, trajeto
            for v in self.vizinhas(casa):
                c = self.custo(v, cor)
                if c is not None and v not in veio:
                    heapq.heappush(fila, (d + c, v, casa))
        return 10 ** 6, []


def main():
    t = Tabuleiro(int(os.getenv('ARBITRO_SIZE', '14')))
    eu, vez, primeira, lance = sys.argv[1], 'b', None, 0
    outra = {'b': 'p', 'p': 'b'}
    while True:
        lance += 1
        if vez == eu:
            dele, perigo = t.caminho(outra[eu])
            meu, plano = t.caminho(eu)
            comum = [casa for casa in plano if casa in perigo]
            lista = comum or (perigo if dele < meu else plano) or plano
            casa = lista[len(lista) // 2]
            sys.stdout.write('%d %d\n' % casa)
            sys.stdout.flush()
        else:
            try:
                casa = tuple(map(int, input().split()))
            except EOFError:
                return
        if lance == 1:
            primeira = casa
        elif lance == 2 and casa == primeira:
            eu = outra[eu]
            continue
        t.casas[casa] = vez
        vez = outra[vez]


main()
