//! The thread that serves: one, niced, and off the cores that games are played on.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::{set_socket_send_buffer_size, set_tcp_user_timeout};
use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// The most connections at a time; others wait until one is free.
const CONNECTIONS: u32 = 1000;
/// The most from one address, so that nobody can take them all.
const FROM_ONE_ADDRESS: usize = 400;
/// How long a viewer may take nothing of what it is sent.
const STALLED: Duration = Duration::from_secs(30);
/// How long a browser may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long those who are connected have to get what was sent last. Who has got it is not waited for. On a machine that does other work, the
/// thread that serves may not have a turn for a second.
const FAREWELL: Duration = Duration::from_secs(5);
/// What waits in the system for one that does not read, and in the server.
const BUFFER: usize = 128 << 10;
/// By how much it gives way to games.
const NICE: i32 = 10;
/// How long to wait where a connection cannot be taken in, as for lack of open files.
const PAUSE: Duration = Duration::from_millis(100);

/// A server that runs.
pub struct Server {
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Serves these routes from now on, in a thread in which also `work` is done.
    pub fn start(
        listener: TcpListener,
        routes: Router,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<Server> {
        let connections = allow_connections();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let (stop, stopping) = watch::channel(false);
        let serve = move || {
            // Ignore failure: it then competes with games as other programs do.
            let _ = setpriority_process(None, NICE);
            runtime.block_on(async {
                tokio::spawn(work);
                serve(listener, routes, connections, stopping).await;
            });
        };
        let thread = thread::Builder::new().name("serve".into()).spawn(serve)?;
        Ok(Server { stop, thread })
    }

    /// Ends it. Those who are connected have a moment to get what was sent last.
    pub fn stop(self) {
        let _ = self.stop.send(true);
        // A server that has failed has ended too.
        let _ = self.thread.join();
    }
}

async fn serve(listener: TcpListener, routes: Router, connections: u32, mut stopping: watch::Receiver<bool>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let room = Arc::new(Semaphore::new(connections as usize));
    let guests = Arc::new(Guests::default());
    let told = stopping.clone();
    let accept = async {
        while let Ok(permit) = room.clone().acquire_owned().await {
            match listener.accept().await {
                Ok((stream, from)) => {
                    if let Some(guest) = guests.admit(from.ip(), permit) {
                        tokio::spawn(converse(stream, routes.clone(), told.clone(), guest));
                    }
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    };
    tokio::select! {
        () = accept => {}
        _ = stopping.wait_for(|&stop| stop) => {}
    }
    let _ = tokio::time::timeout(FAREWELL, room.acquire_many(connections)).await;
}

/// How many connections there are from each address.
#[derive(Default)]
struct Guests(Mutex<HashMap<IpAddr, usize>>);

/// A connection that has its place until this is dropped.
struct Guest {
    guests: Arc<Guests>,
    address: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl Guests {
    fn admit(self: &Arc<Guests>, address: IpAddr, permit: OwnedSemaphorePermit) -> Option<Guest> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= FROM_ONE_ADDRESS {
            return None;
        }
        *count += 1;
        Some(Guest { guests: self.clone(), address, _permit: permit })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut counts = self.guests.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// Answers one browser as long as it likes.
async fn converse(stream: TcpStream, routes: Router, mut stopping: watch::Receiver<bool>, _guest: Guest) {
    // Ignore failures: it is slower, needs more memory, or holds its place for longer.
    let _ = (stream.set_nodelay(true), set_socket_send_buffer_size(&stream, BUFFER));
    let _ = set_tcp_user_timeout(&stream, STALLED.as_millis() as u32);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes));
    let mut connection = pin!(connection);
    // Whatever goes wrong, there is nobody left to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|&stop| stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Asks for as many more open files as there can be connections, so that games do not run out of them. Returns how many connections
/// there can be with what was granted.
fn allow_connections() -> u32 {
    let limit = getrlimit(Resource::Nofile);
    let Some(before) = limit.current else { return CONNECTIONS };
    let wanted = before + u64::from(CONNECTIONS);
    let granted = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let is_granted =
        setrlimit(Resource::Nofile, Rlimit { current: Some(granted), maximum: limit.maximum }).is_ok();
    // Of a limit that cannot be raised, most is left to the games.
    let more = if is_granted { granted - before } else { 0 };
    more.max(before / 4).min(CONNECTIONS.into()) as u32
}
