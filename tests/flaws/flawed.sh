#!/bin/bash
# A Hex bot with one flaw, as students write them: flawed.sh FLAW b|p
#
# Without its flaw it is sound: it plays a line of stones towards itself, and marks every stone. The swap changes nothing for it: it
# only looks for free cells.
flaw=$1
me=$2
n=${ARBITRO_SIZE:-14}
declare -A taken

choose() {
    local i middle=$((n / 2))
    for ((i = n - 1; i >= 0; i--)); do
        if [ "$me" = b ]; then row=$i col=$middle; else row=$middle col=$i; fi
        [ -z "${taken[$row,$col]}" ] && return
    done
    for ((row = n - 1; row >= 0; row--)); do
        for ((col = n - 1; col >= 0; col--)); do
            [ -z "${taken[$row,$col]}" ] && return
        done
    done
}

play() {
    [ "$flaw" = sleeps ] && sleep 30
    [ "$flaw" = missing-command ] && pyton3 choose.py
    choose
    taken[$row,$col]=1
    if [ "$flaw" = no-newline ]; then echo -n "$row $col"
    elif [ "$flaw" = octal ]; then row=0$row; echo $((row + 0)) "$col"
    else echo "$row $col"; fi
}

[ "$flaw" = missing-command ] && set -e
[ "$flaw" = starts-a-crashing-program ] && { bash -c 'kill -SEGV $$'; exit $?; }
[ "$me" = b ] && play
while read -r r c; do
    taken[$r,$c]=1
    play
done
