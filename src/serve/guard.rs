//! What every request has to be like, and what every answer has on it, whatever is asked for.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};

use super::listen::Hosts;

/// What an answer that is no page may do in a browser.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// The routes, behind the guard.
pub fn guarded(routes: Router, hosts: Hosts) -> Router {
    routes.fallback(async || refusal(StatusCode::NOT_FOUND, "there is no such page")).layer(
        from_fn_with_state(
            Arc::new(hosts),
            async |State(hosts): State<Arc<Hosts>>, request: Request, next: Next| {
                let mut response = match objection(&hosts, request.headers()) {
                    Some(why) => refusal(StatusCode::FORBIDDEN, why),
                    None => next.run(request).await,
                };
                secure(response.headers_mut());
                response
            },
        ),
    )
}

/// A request that is refused, and why.
pub fn refusal(status: StatusCode, why: &str) -> Response {
    (status, Json(serde_json::json!({ "error": why }))).into_response()
}

/// Why a request is not answered.
fn objection(hosts: &Hosts, headers: &HeaderMap) -> Option<&'static str> {
    let only = |name: HeaderName| {
        let mut values = headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
    };
    let Some(host) = only(HOST).filter(|host| hosts.allow(host)) else {
        return Some("this server is not called by that name");
    };
    // Browsers say which page asks, wherever that could matter; other programs do not.
    match headers.contains_key(ORIGIN) {
        true if only(ORIGIN).and_then(|origin| origin.strip_prefix("http://")) != Some(host) => {
            Some("another page cannot ask this")
        }
        _ => None,
    }
}

fn secure(headers: &mut HeaderMap) {
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NOTHING));
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
