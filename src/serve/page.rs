//! The pages that are served.

use axum::body::Bytes;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};

use super::guard::refusal;
use crate::view::page::shells::{self, Shell};

const HTML: &str = "text/html; charset=utf-8";

/// A page with the headers that belong to it.
pub type Page = ([(HeaderName, String); 2], String);

/// The live page.
pub fn live(title: &str) -> Page {
    page(shells::live(title))
}

/// The page on which people play.
pub fn play(title: &str) -> Page {
    page(shells::play(title))
}

fn page(Shell { html, policy }: Shell) -> Page {
    let policy = format!("{policy}; frame-ancestors 'none'");
    ([(CONTENT_TYPE, HTML.to_owned()), (CONTENT_SECURITY_POLICY, policy)], html)
}

/// The report, once it is written. It has a policy of its own in it.
pub fn report(html: Option<&Bytes>) -> Response {
    match html.cloned() {
        Some(html) => ([(CONTENT_TYPE, HTML), (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'")], html)
            .into_response(),
        None => refusal(StatusCode::NOT_FOUND, "there is no report yet"),
    }
}
