class Tabuleiro:
    def __init__(self, lado):
        self.lado = lado
        self.casas = [["-"] * lado for _ in range(lado)]

    def marca(self, linha, coluna, cor):
        self.casas[linha][coluna] = cor

    def vazias(self):
        for i, linha in enumerate(self.casas):
            yield from ((i, j) for j, casa in enumerate(linha) if casa == "-")
