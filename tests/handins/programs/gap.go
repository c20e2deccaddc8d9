package main

import (
	"bufio"
	"fmt"
	"os"
)

const width = 14

type field [width][width]bool

// gap is the free cell with the most free cells around it.
func (f *field) gap() (int, int, bool) {
	best, y, x := -1, 0, 0
	for i := 0; i < width; i++ {
		for j := 0; j < width; j++ {
			if f[i][j] {
				continue
			}
			open := 0
			for a := -2; a <= 2; a++ {
				for b := -2; b <= 2; b++ {
					if i+a >= 0 && j+b >= 0 && i+a < width && j+b < width && !f[i+a][j+b] {
						open++
					}
				}
			}
			if open > best {
				best, y, x = open, i, j
			}
		}
	}
	return y, x, best >= 0
}

func main() {
	var f field
	in := bufio.NewReader(os.Stdin)
	mine := os.Args[1] == "b"
	for {
		if mine {
			y, x, ok := f.gap()
			if !ok {
				return
			}
			f[y][x] = true
			fmt.Println(y, x)
		} else {
			var y, x int
			if _, err := fmt.Fscan(in, &y, &x); err != nil {
				return
			}
			f[y][x] = true
		}
		mine = !mine
	}
}
