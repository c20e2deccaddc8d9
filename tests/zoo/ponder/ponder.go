// ponder goes on thinking in two goroutines while it waits, and makes garbage, so that the collector thinks too.
//
// Usage: ponder b|p
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

var kept []byte

func think() {
	for {
		kept = make([]byte, 1000)
	}
}

func main() {
	ours := os.Args[1] == "b"
	size, err := strconv.Atoi(os.Getenv("ARBITRO_SIZE"))
	if err != nil {
		size = 14
	}
	taken := make([]bool, size*size)
	for count := 0; count < 2; count++ {
		go think()
	}
	input := bufio.NewScanner(os.Stdin)
	for next := 0; ; ours = true {
		if ours {
			for taken[next] {
				next++
			}
			taken[next] = true
			fmt.Println(next/size, next%size)
		}
		var row, column int
		if !input.Scan() {
			return
		}
		fmt.Sscan(input.Text(), &row, &column)
		taken[row*size+column] = true
	}
}
