// Steps through the board by a prime, so that every cell comes once.
use std::io::stdin;

fn main() {
    let colour = std::env::args().nth(1).expect("b or p");
    let mut seen = [false; 196];
    let mut walk = (1usize..).map(|k| k * 89 % 197).filter(|k| *k < 197 && *k > 0).map(|k| k - 1);
    let mut speak = |seen: &mut [bool; 196]| {
        if seen.iter().all(|s| *s) {
            std::process::exit(0)
        }
        let k = walk.find(|k| *k < 196 && !seen[*k]).unwrap();
        seen[k] = true;
        println!("{} {}", k / 14, k % 14);
    };
    if colour == "b" {
        speak(&mut seen);
    }
    let mut text = String::new();
    while stdin().read_line(&mut text).unwrap() > 0 {
        let v: Vec<usize> = text.split_ascii_whitespace().map(|w| w.parse().unwrap()).collect();
        seen[v[0] * 14 + v[1]] = true;
        text.clear();
        speak(&mut seen);
    }
}
