//! Somebody at a real terminal, who types and looks at the screen.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::ARBITRO;

/// Somebody at a real terminal.
pub struct Person {
    pub keyboard: File,
    screen: std::sync::mpsc::Receiver<Vec<u8>>,
    pub seen: String,
    pub child: std::process::Child,
    terminal: std::os::fd::OwnedFd,
    modes_before: rustix::termios::LocalModes,
    /// What the last line of the screen has.
    pub footer: &'static str,
}

/// A terminal as most people have it.
pub const USUAL: (u16, u16) = (80, 24);

impl Person {
    /// Runs a command at a terminal of so many columns and rows.
    pub fn at_terminal((columns, rows): (u16, u16), folder: &Path, arguments: &[&str]) -> Person {
        use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        unlockpt(&master).unwrap();
        let slave = ioctl_tiocgptpeer(&master, flags).unwrap();
        let size = rustix::termios::Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&slave, size).unwrap();
        let modes_before = rustix::termios::tcgetattr(&slave).unwrap().local_modes;
        let end = || Stdio::from(slave.try_clone().unwrap());
        let child = Command::new(ARBITRO)
            .args(arguments)
            .current_dir(folder)
            .env("TERM", "xterm-256color")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().unwrap();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Person {
            keyboard,
            screen,
            seen: String::new(),
            child,
            terminal: slave,
            modes_before,
            footer: "q quit",
        }
    }

    pub fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    #[track_caller]
    pub fn waits_for(&mut self, text: &str) {
        let bytes = self.screen.recv_timeout(Duration::from_secs(20));
        let bytes = bytes.unwrap_or_else(|_| panic!("'{text}' never came; the screen shows:\n{}", self.seen));
        self.seen += &String::from_utf8_lossy(&bytes);
    }

    /// Reads until a text comes, and returns all up to it.
    #[track_caller]
    pub fn sees_until(&mut self, text: &str) -> String {
        while !self.seen.contains(text) {
            self.waits_for(text);
        }
        let at = self.seen.find(text).unwrap() + text.len();
        self.seen.drain(..at).collect()
    }

    /// Reads the screen until a text comes, and forgets what came before it.
    #[track_caller]
    pub fn sees(&mut self, text: &str) {
        self.sees_until(text);
    }

    /// Waits until the whole screen is there with this text on it, and returns its lines without colours.
    #[track_caller]
    pub fn sees_screen(&mut self, text: &str) -> Vec<String> {
        // Screens with clocks are drawn for ever.
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let drawn = self.seen.rsplit("\x1b[H").next().unwrap_or_default();
            let screen = console::strip_ansi_codes(drawn).into_owned();
            // The last line is the footer.
            if screen.contains(text) && screen.contains(self.footer) {
                self.seen.clear();
                return screen.split("\r\n").map(str::to_owned).collect();
            }
            assert!(Instant::now() < deadline, "'{text}' never came; the screen shows:\n{screen}");
            self.waits_for(text);
        }
    }

    /// Closes the window while the program runs, which ends it.
    pub fn closes_the_window(self) {
        let Person { mut keyboard, screen, mut child, .. } = self;
        drop(screen);
        // With what the program draws now, the thread that reads finds that nobody wants it, and lets go of the window.
        keyboard.write_all(b"?").unwrap();
        drop(keyboard);
        super::eventually("the program ends", || child.try_wait().unwrap().is_some());
    }

    /// Once, the terminal was left without echo and line editing.
    pub fn leaves(mut self) {
        assert!(self.child.wait().unwrap().success());
        let modes = rustix::termios::tcgetattr(&self.terminal).unwrap().local_modes;
        assert_eq!(modes, self.modes_before, "the terminal is as it was");
    }
}
