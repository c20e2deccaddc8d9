//! The pages that are served.

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};

/// A page with the headers that belong to it.
pub type Page = ([(axum::http::HeaderName, String); 2], String);

/// The live page.
pub fn live(title: &str) -> Page {
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    page(format!("<!doctype html><title>{escaped}</title>"), String::new())
}

/// The page on which people play.
pub fn play(title: &str) -> Page {
    live(title)
}

fn page(html: String, policy: String) -> Page {
    let policy = format!("default-src 'none'; {policy}frame-ancestors 'none'");
    ([(CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (CONTENT_SECURITY_POLICY, policy)], html)
}
