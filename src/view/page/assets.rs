//! The styles and scripts of pages, and the policy that lets a browser run these and nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// What all pages look like.
pub const STYLE: &str = include_str!("style.css");

/// The script of a report: files that share one scope, in this order.
const REPORT: [&str; 6] = [
    include_str!("blocks.js"),
    include_str!("board.js"),
    include_str!("course.js"),
    include_str!("replay.js"),
    include_str!("games.js"),
    include_str!("report.js"),
];

/// The script of a report.
pub fn report_script() -> String {
    REPORT.concat()
}

/// The script of the live page.
pub fn live_script() -> String {
    [include_str!("board.js"), include_str!("live.js"), "new Live('/events');\n"].concat()
}

/// The script of the page on which people play. Its token stands in the fragment of the address, which no server is told.
pub fn play_script() -> String {
    const BEGIN: &str = "new Play(new URLSearchParams(location.hash.slice(1)).get('token') ?? '');\n";
    [include_str!("board.js"), include_str!("play.js"), BEGIN].concat()
}

/// The content security policy of a page with the style of all pages and this script; `connects` if it may talk to its own server.
pub fn policy(script: &str, connects: bool) -> String {
    let connect = if connects { "; connect-src 'self'" } else { "" };
    format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data: blob:; base-uri 'none'; form-action 'none'{connect}",
        hash(STYLE),
        hash(script)
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
