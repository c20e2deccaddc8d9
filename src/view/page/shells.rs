//! Pages that are filled by a server: empty ones, with the style and the script that listens.

use askama::Template;

use super::assets;
use super::tables::rendered;

/// A page, and the policy that it is to be sent with.
pub struct Shell {
    /// The page.
    pub html: String,
    /// Its content security policy.
    pub policy: String,
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage<'a> {
    title: &'a str,
    policy: &'a str,
    style: &'a str,
    script: &'a str,
}

#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage<'a> {
    title: &'a str,
    policy: &'a str,
    style: &'a str,
    script: &'a str,
}

/// The page on which a championship is watched.
pub fn live(title: &str) -> Shell {
    let script = assets::live_script();
    let policy = assets::policy(&script, true);
    let html = rendered(&LivePage { title, policy: &policy, style: assets::STYLE, script: &script });
    Shell { html, policy }
}

/// The page on which people play.
pub fn play(title: &str) -> Shell {
    let script = assets::play_script();
    let policy = assets::policy(&script, true);
    let html = rendered(&PlayPage { title, policy: &policy, style: assets::STYLE, script: &script });
    Shell { html, policy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_escaped() {
        for shell in [live("<b>\"&'"), play("<b>\"&'")] {
            assert!(
                shell.html.contains("<title>&#60;b&#62;&#34;&#38;&#39;</title>"),
                "{}",
                &shell.html[..600]
            );
            assert!(shell.policy.contains("connect-src 'self'"));
        }
    }
}
