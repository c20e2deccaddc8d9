//! A stream of server-sent events, for any number of viewers. Nobody waits for a viewer.

use std::convert::Infallible;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::broadcast::{self, Receiver, Sender, error::RecvError};
use tokio::time::timeout;

/// How many events wait for a viewer; one that is further behind gets a snapshot instead.
const BACKLOG: usize = 512;
/// How often something is sent even if nothing happens, so that connections which are gone are noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// An event as it goes to the browser.
pub fn event(name: &str, data: &impl Serialize) -> Bytes {
    // What is serialised here are plain values. Text in JSON is on one line.
    let json = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {json}\n\n").into()
}

/// What viewers are shown, and the events that tell what changes.
pub struct Channel<S> {
    shown: Mutex<Shown<S>>,
}

struct Shown<S> {
    state: S,
    /// Where events go; nothing after the last one.
    events: Option<Sender<Bytes>>,
}

/// Something that can be shown from the beginning.
pub trait Snapshot: Send + 'static {
    /// Events that tell all of it to somebody who comes in.
    fn snapshot(&mut self) -> Bytes;
}

impl<S: Snapshot> Channel<S> {
    /// A channel that shows this.
    pub fn new(state: S) -> Channel<S> {
        let events = Some(broadcast::channel(BACKLOG).0);
        Channel { shown: Mutex::new(Shown { state, events }) }
    }

    /// Changes what is shown, and sends the events that `change` returns.
    pub fn update<T>(&self, change: impl FnOnce(&mut S, &mut Vec<Bytes>) -> T) -> T {
        let mut shown = self.lock();
        let mut told = Vec::new();
        let result = change(&mut shown.state, &mut told);
        if let Some(events) = &shown.events {
            // Nobody may be there.
            told.into_iter().for_each(|event| drop(events.send(event)));
        }
        result
    }

    /// Ends the streams of all viewers, once they have what was sent.
    pub fn close(&self) {
        self.lock().events = None;
    }

    fn lock(&self) -> MutexGuard<'_, Shown<S>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A snapshot and all that comes after it.
    fn join(&self) -> (Bytes, Option<Receiver<Bytes>>) {
        let mut shown = self.lock();
        let events = shown.events.as_ref().map(Sender::subscribe);
        (shown.state.snapshot(), events)
    }

    /// The stream for a viewer that has just come.
    pub fn stream(self: std::sync::Arc<Self>) -> Response {
        let (snapshot, events) = self.join();
        let viewer = (Some(snapshot), events, self);
        let stream = stream::unfold(viewer, |(snapshot, mut events, channel)| async move {
            if let Some(snapshot) = snapshot {
                return Some((Ok::<Bytes, Infallible>(snapshot), (None, events, channel)));
            }
            let told = match timeout(HEARTBEAT, events.as_mut()?.recv()).await {
                Err(_) => Bytes::from_static(b":\n\n"),
                Ok(Ok(event)) => event,
                Ok(Err(RecvError::Closed)) => return None,
                Ok(Err(RecvError::Lagged(_))) => {
                    let snapshot;
                    (snapshot, events) = channel.join();
                    snapshot
                }
            };
            Some((Ok(told), (None, events, channel)))
        });
        ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(stream)).into_response()
    }
}
