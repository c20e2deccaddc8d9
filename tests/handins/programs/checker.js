'use strict'
// every second cell first, like the white ones of a chess board
let left = []
for (let k = 0; k < 196; k++) left.push(k)
left.sort((a, b) => ((a + Math.floor(a / 14)) % 2) - ((b + Math.floor(b / 14)) % 2) || a - b)
const take = k => { left = left.filter(x => x !== k) }
const speak = () => {
  if (left.length === 0) return process.stdin.destroy()
  const k = left[Math.floor(left.length / 3)]
  take(k)
  process.stdout.write(Math.floor(k / 14) + ' ' + (k % 14) + '\n')
}
if (process.argv.includes('b')) speak()
let rest = ''
process.stdin.on('data', piece => {
  rest += piece
  let at
  while ((at = rest.indexOf('\n')) >= 0) {
    const numbers = rest.slice(0, at).split(/\s+/)
    rest = rest.slice(at + 1)
    take(numbers[0] * 14 + +numbers[1])
    speak()
  }
})
