//! The program `arbitro`: see the crate's documentation for the map.

fn main() -> std::process::ExitCode {
    arbitro::cli::main()
}
