//! A store of keys and values, by which the processes that form one client find each other.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A store of keys and values that several processes share. Plugins call it from their threads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a store of keys and values",
    label = "not a store that several processes share",
    note = "stores are those of `supremum::pjrt`, and types of your own that implement this trait"
)]
pub trait KeyValueStore: Send + Sync + 'static {
    /// Puts a value, which all processes see.
    ///
    /// # Errors
    /// If the store cannot be reached.
    fn put(&self, key: &[u8], value: &[u8]) -> io::Result<()>;

    /// Waits for a key, at most this long. Returns `None` if it has not come.
    ///
    /// # Errors
    /// If the store cannot be reached.
    fn get(&self, key: &[u8], wait: Duration) -> io::Result<Option<Vec<u8>>>;
}

/// The store of one process.
///
/// ```
/// use std::time::Duration;
/// use supremum::pjrt::{KeyValueStore, LocalStore};
/// let store = LocalStore::default();
/// store.put(b"key", b"value")?;
/// assert_eq!(store.get(b"key", Duration::ZERO)?, Some(b"value".to_vec()));
/// assert_eq!(store.get(b"other", Duration::from_millis(1))?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct LocalStore {
    values: Mutex<BTreeMap<Vec<u8>, Vec<u8>>>,
    changed: Condvar,
}

#[diagnostic::do_not_recommend]
impl KeyValueStore for LocalStore {
    fn put(&self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.insert(key.into(), value.into());
        self.changed.notify_all();
        Ok(())
    }

    fn get(&self, key: &[u8], wait: Duration) -> io::Result<Option<Vec<u8>>> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .changed
            .wait_timeout_while(values, wait, |values| !values.contains_key(key));
        let (values, _) = waited.unwrap_or_else(PoisonError::into_inner);
        Ok(values.get(key).cloned())
    }
}

/// The most bytes of a key or value that are accepted.
const LIMIT: u64 = 1 << 28;
/// The time for which a process waits for the one that serves the store.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time for which a connection may stay silent, beyond the time that a request says it waits.
const SILENCE: Duration = Duration::from_secs(30);

/// A store that one process serves by TCP and the others reach by its address. It knows no passwords: use it in a network
/// that you trust.
///
/// Each request is a connection of its own: a kind, a number of milliseconds, key and value; the answer is whether there is a
/// value, and the value.
///
/// ```
/// use std::time::Duration;
/// use supremum::pjrt::{KeyValueStore, TcpStore};
/// let first = TcpStore::serve("127.0.0.1:0")?;
/// let second = TcpStore::connect(first.address()); // in another process
/// first.put(b"key", b"value")?;
/// assert_eq!(second.get(b"key", Duration::from_secs(5))?, Some(b"value".to_vec()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TcpStore {
    address: String,
}

impl TcpStore {
    /// Serves a store at an address, such as `10.0.0.1:9000`, until the process ends. Port 0 is any free one.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub fn serve(address: &str) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?.to_string();
        let store = Arc::new(LocalStore::default());
        let accept = move || {
            for stream in listener.incoming().flatten() {
                let store = Arc::clone(&store);
                // A client that sends nonsense or hangs up loses its answer, nobody else's.
                let answer = move || answer(stream, &store);
                let _ = thread::Builder::new().spawn(answer);
            }
        };
        thread::Builder::new()
            .name("key-value store".into())
            .spawn(accept)?;
        Ok(Self { address })
    }

    /// The store that another process serves at an address. The first request waits for that process, for a minute at most.
    pub fn connect(address: &str) -> Self {
        Self {
            address: address.into(),
        }
    }

    /// The address of the store, with its port.
    pub fn address(&self) -> &str {
        &self.address
    }

    fn open(&self) -> io::Result<TcpStream> {
        let mut addresses = self.address.to_socket_addrs()?;
        let address = addresses.next().ok_or(io::ErrorKind::NotFound)?;
        let end = Instant::now() + PATIENCE;
        loop {
            match TcpStream::connect(address) {
                Err(_) if Instant::now() < end => thread::sleep(Duration::from_millis(20)),
                result => return result,
            }
        }
    }

    fn ask(
        &self,
        kind: Kind,
        wait: Duration,
        key: &[u8],
        value: &[u8],
    ) -> io::Result<Option<Vec<u8>>> {
        let mut stream = self.open()?;
        stream.set_read_timeout(Some(wait.saturating_add(SILENCE)))?;
        let milliseconds = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        send_number(&mut stream, kind.code())?;
        send_number(&mut stream, milliseconds)?;
        send(&mut stream, key)?;
        send(&mut stream, value)?;
        match receive_number(&mut stream)? {
            0 => Ok(None),
            _ => receive(&mut stream).map(Some),
        }
    }
}

#[diagnostic::do_not_recommend]
impl KeyValueStore for TcpStore {
    fn put(&self, key: &[u8], value: &[u8]) -> io::Result<()> {
        self.ask(Kind::Put, Duration::ZERO, key, value).map(drop)
    }

    fn get(&self, key: &[u8], wait: Duration) -> io::Result<Option<Vec<u8>>> {
        self.ask(Kind::Get, wait, key, &[])
    }
}

/// The kinds of requests.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Get,
    Put,
}

impl Kind {
    fn code(self) -> u64 {
        match self {
            Self::Get => 0,
            Self::Put => 1,
        }
    }
}

/// Answers one request.
fn answer(mut stream: TcpStream, store: &LocalStore) -> io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    let kind = receive_number(&mut stream)?;
    let wait = Duration::from_millis(receive_number(&mut stream)?.min(86_400_000)); // a day
    let (key, value) = (receive(&mut stream)?, receive(&mut stream)?);
    if kind == Kind::Put.code() {
        store.put(&key, &value)?;
        return send_number(&mut stream, 0);
    }
    match store.get(&key, wait)? {
        None => send_number(&mut stream, 0),
        Some(value) => {
            send_number(&mut stream, 1)?;
            send(&mut stream, &value)
        }
    }
}

fn send_number(stream: &mut TcpStream, number: u64) -> io::Result<()> {
    stream.write_all(&number.to_le_bytes())
}

fn receive_number(stream: &mut TcpStream) -> io::Result<u64> {
    let mut bytes = [0; 8];
    stream.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn send(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    send_number(stream, u64::try_from(bytes.len()).unwrap_or(u64::MAX))?;
    stream.write_all(bytes)
}

fn receive(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let length = receive_number(stream)?;
    if length > LIMIT {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // Memory is taken as bytes come, so that a length alone takes none.
    let mut bytes = Vec::new();
    stream.take(length).read_to_end(&mut bytes)?;
    let complete = u64::try_from(bytes.len()) == Ok(length);
    complete
        .then_some(bytes)
        .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
