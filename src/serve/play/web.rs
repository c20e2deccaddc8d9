//! A room in the browser. The link that opens it has a token, and only who has it sees the table or moves.
//!
//! The token is in the fragment of the link, which browsers send to nobody. The page's script shows it in a header with everything
//! that it asks for, which pages of others cannot make a browser do; and in the address of the stream of events, for which there are no
//! headers, and which stands nowhere else. A cookie would go to every other server on this machine, too.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::room::Room;
use super::table::Objection;
use crate::serve::guard::{guarded, refusal};
use crate::serve::listen::Listen;
use crate::serve::page;
use crate::serve::server::Server;

/// The header with the token.
const TOKEN: &str = "x-arbitro-token";
/// What is told to those who have another one.
const WRONG_TOKEN: &str = "the token is wrong: open the link that arbitro play has printed";
/// Longer than anything that is asked.
const LONGEST_BODY: usize = 4096;

/// A room that is served.
pub struct Web {
    /// Where people find it.
    pub link: String,
    room: Arc<Room>,
    server: Server,
}

/// Something that nobody guesses.
fn new_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to memory does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

impl Web {
    /// Serves the room from now on.
    ///
    /// # Errors
    /// If nothing can be served there.
    pub fn start(listen: &Listen, room: Arc<Room>, title: &str) -> io::Result<Web> {
        let (listener, hosts) = listen.bind()?;
        let token = new_token()?;
        let link = format!("{}#token={token}", hosts.link(listener.local_addr()?));
        let page = page::play(title);
        let door = Door { room: room.clone(), token: token.into() };
        let routes = Router::new()
            .route("/", get(async move || page.clone()))
            .route("/events", get(events))
            .route("/move", post(play))
            .route("/undo", post(async |door: State<Door>, ask: Asked| door.act(&ask, |room| room.undo())))
            .route("/hint", post(async |door: State<Door>, ask: Asked| door.act(&ask, Room::hint)))
            .route(
                "/resign",
                post(async |door: State<Door>, ask: Asked| door.act(&ask, |room| room.resign())),
            )
            .route("/new", post(async |door: State<Door>, ask: Asked| door.act(&ask, |room| room.new_game())))
            .layer(DefaultBodyLimit::max(LONGEST_BODY))
            .layer(from_fn_with_state(door.clone(), admit))
            .with_state(door);
        let server = Server::start(listener, guarded(routes, hosts), std::future::ready(()))?;
        Ok(Web { link, room, server })
    }

    /// Ends it. Those who look have a moment to get what was told last.
    pub fn stop(self) {
        self.room.channel.close();
        self.server.stop();
    }
}

/// What requests need.
#[derive(Clone)]
struct Door {
    room: Arc<Room>,
    token: Arc<str>,
}

/// What a page asks for, as it comes.
type Asked = (HeaderMap, Bytes);

/// Turns away who acts without the token, before anything more is read: people could keep the server waiting for it.
async fn admit(State(door): State<Door>, request: Request, next: Next) -> Response {
    let token = request.headers().get(TOKEN).and_then(|token| token.to_str().ok());
    if request.method() == Method::POST && !door.knows(token) {
        return refusal(StatusCode::FORBIDDEN, WRONG_TOKEN);
    }
    next.run(request).await
}

impl Door {
    fn knows(&self, token: Option<&str>) -> bool {
        // How long it takes says nothing of where it differs.
        let same = |token: &str| {
            token.bytes().zip(self.token.bytes()).fold(0, |all, (one, other)| all | one ^ other) == 0
        };
        token.is_some_and(|token| token.len() == self.token.len() && same(token))
    }

    /// Does what was asked for.
    fn act(&self, (headers, _): &Asked, act: impl FnOnce(&Arc<Room>) -> Result<(), Objection>) -> Response {
        let is_json =
            |kind: &str| kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
        if !headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).is_some_and(is_json) {
            return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, "this is asked in JSON");
        }
        match act(&self.room) {
            Ok(()) => axum::Json(serde_json::json!({ "ok": true })).into_response(),
            Err(objection @ Objection::NotNow(_)) => refusal(StatusCode::CONFLICT, &objection.to_string()),
            Err(objection @ Objection::Move(_)) => {
                refusal(StatusCode::UNPROCESSABLE_ENTITY, &objection.to_string())
            }
        }
    }
}

#[derive(Deserialize)]
struct EventsQuery {
    token: Option<String>,
}

async fn events(State(door): State<Door>, Query(query): Query<EventsQuery>) -> Response {
    match door.knows(query.token.as_deref()) {
        true => door.room.channel.clone().stream(),
        false => refusal(StatusCode::FORBIDDEN, WRONG_TOKEN),
    }
}

#[derive(Deserialize)]
struct Move {
    text: String,
}

async fn play(State(door): State<Door>, ask: Asked) -> Response {
    let asked = serde_json::from_slice::<Move>(&ask.1);
    door.act(&ask, |room| match asked {
        Ok(Move { text }) => room.play(&text),
        Err(_) => Err(Objection::Move("a move is asked for as {\"text\": \"…\"}".to_owned())),
    })
}
