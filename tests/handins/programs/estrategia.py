def peso(lado, i, j, cor):
    meio = (lado - 1) / 2
    return -(abs(j - meio) * 3 + abs(i - meio)) if cor == "b" else -(abs(i - meio) * 3 + abs(j - meio))


def melhor(tabuleiro, cor):
    return max(tabuleiro.vazias(), key=lambda ij: peso(tabuleiro.lado, *ij, cor), default=None)
