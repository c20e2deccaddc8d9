'use strict'
const readline = require('readline')

class Jogo {
  constructor (tamanho) {
    this.tamanho = tamanho
    this.linhas = Array.from({ length: tamanho }, () => Array(tamanho).fill(null))
  }

  * casas () {
    for (let x = 0; x < this.tamanho; x++) {
      for (let y = 0; y < this.tamanho; y++) yield [x, y]
    }
  }

  // how many groups of mine a cell touches, and how far it brings me
  valor (x, y, cor) {
    let pontos = 0
    const passos = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]]
    for (const [dx, dy] of passos) {
      const linha = this.linhas[x + dx]
      const dono = linha === undefined ? undefined : linha[y + dy]
      if (dono === cor) pontos += 2
      else if (dono === undefined) pontos += 1
      else if (dono !== null) pontos += 1.5
    }
    const eixo = cor === 'b' ? y : x
    return pontos - Math.abs(eixo - this.tamanho / 2) * 0.8
  }

  melhor (cor) {
    let escolha = null
    let maior = -Infinity
    for (const [x, y] of this.casas()) {
      if (this.linhas[x][y] !== null) continue
      const v = this.valor(x, y, cor) + 0.6 * this.valor(x, y, outra(cor))
      if (v > maior) {
        maior = v
        escolha = [x, y]
      }
    }
    return escolha
  }
}

const outra = cor => cor === 'b' ? 'p' : 'b'

async function principal () {
  const jogo = new Jogo(parseInt(process.env.ARBITRO_SIZE ?? '14', 10))
  let eu = process.argv[2]
  let vez = 'b'
  const feitas = []
  const entrada = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  for (;;) {
    let jogada
    if (vez === eu) {
      jogada = jogo.melhor(eu)
      if (!jogada) return
      console.log(jogada.join(' '))
    } else {
      const { value, done } = await entrada.next()
      if (done) return
      jogada = value.split(' ').map(x => parseInt(x, 10))
    }
    feitas.push(jogada.join())
    if (feitas.length === 2 && feitas[0] === feitas[1]) {
      eu = outra(eu)
    } else {
      jogo.linhas[jogada[0]][jogada[1]] = vez
      vez = outra(vez)
    }
  }
}

principal()
