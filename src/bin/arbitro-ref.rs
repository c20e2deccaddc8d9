//! The reference engine as a program of its own, started like any student's.

fn main() -> std::process::ExitCode {
    arbitro::cli::reference_main()
}
