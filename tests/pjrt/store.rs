//! Several processes that form one client: the key-value store, with two real processes, and plugins that refuse.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use supremum::Error;
use supremum::pjrt::{Client, ClientOptions, DeviceError, KeyValueStore, LocalStore, TcpStore};

use crate::fake::{self, ALL};
use crate::plugin;

/// The variables by which a process of the test becomes the second node.
const ADDRESS: &str = "SUPREMUM_TEST_STORE";

/// A client of the fake plugin, which has the nodes exchange greetings by the callbacks of the store.
fn node(number: i64, store: Arc<dyn KeyValueStore>) -> Result<Client, Error> {
    let plugin = fake::loaded((0, 81), ALL)?;
    Client::new(plugin, ClientOptions::new().node(number, 2, store))
}

const GREETINGS: &str = "node 0 of 2 is here; node 1 of 2 is here";

#[test]
fn two_processes_form_one_client() {
    let store = TcpStore::serve("127.0.0.1:0").unwrap();
    let second = Command::new(std::env::current_exe().unwrap())
        .args([
            "store::the_second_process",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env(ADDRESS, store.address())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let client = node(0, Arc::new(store)).unwrap();
    assert_eq!(client.platform_version().unwrap(), GREETINGS);
    assert_eq!(
        (client.devices().len(), client.device_count().unwrap()),
        (1, 2)
    );
    let output = second.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

/// Runs as a process of its own, for the test above.
#[test]
#[ignore = "a part of `two_processes_form_one_client`"]
fn the_second_process() {
    let address = std::env::var(ADDRESS).expect("the first process's store");
    let client = node(1, Arc::new(TcpStore::connect(&address))).unwrap();
    assert_eq!(client.platform_version().unwrap(), GREETINGS);
}

#[test]
fn a_store_that_fails_is_an_error_of_the_client() {
    struct Broken;
    impl KeyValueStore for Broken {
        fn put(&self, _: &[u8], _: &[u8]) -> std::io::Result<()> {
            panic!("no unwinding into the plugin")
        }
        fn get(&self, key: &[u8], _: Duration) -> std::io::Result<Option<Vec<u8>>> {
            Ok((key != b"no such key").then(Vec::new))
        }
    }
    let error = node(0, Arc::new(Broken)).unwrap_err().to_string();
    let text = "PJRT_Client_Create: INTERNAL: key `node 0`: the key-value store panicked";
    assert_eq!(error, text);
}

#[test]
fn a_plugin_that_ignores_other_processes_is_found_out() {
    let plugin = fake::loaded((0, 81), ALL).unwrap();
    let store = Arc::new(LocalStore::default());
    let options = ClientOptions::new().node(0, 2, store).flag("alone", true);
    let error = Client::new(plugin, options).unwrap_err();
    let expected = DeviceError::OneProcess {
        num_nodes: 2,
        devices: 1,
    };
    assert_eq!(error, expected.into());
}

/// Plugins for CPUs cannot form a client of several processes: newer ones refuse the options, older ones ignore them.
#[test]
fn plugins_for_cpus_refuse_several_processes() {
    let Some(plugin) = plugin() else { return };
    let store = Arc::new(LocalStore::default());
    let error = Client::new(plugin, ClientOptions::new().node(0, 2, store)).unwrap_err();
    println!("{error}");
    assert!(
        matches!(
            error,
            Error::Device(DeviceError::OneProcess { .. } | DeviceError::Plugin { .. })
        ),
        "{error}"
    );
}

#[test]
fn nonsense_does_not_stop_the_store() {
    use std::io::Write;
    let store = TcpStore::serve("127.0.0.1:0").unwrap();
    for bytes in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", &[0xFF; 64], &[0; 15]] {
        let mut stream = std::net::TcpStream::connect(store.address()).unwrap();
        stream.write_all(bytes).unwrap();
    }
    store.put(b"key", &[7; 100_000]).unwrap();
    assert_eq!(
        store.get(b"key", Duration::ZERO).unwrap(),
        Some(vec![7; 100_000])
    );
    assert_eq!(
        store.get(b"other", Duration::from_millis(10)).unwrap(),
        None
    );
    // A value that comes while another process waits for it.
    let waiting = store.clone();
    let waiting = std::thread::spawn(move || waiting.get(b"late", Duration::from_secs(20)));
    std::thread::sleep(Duration::from_millis(50));
    store.put(b"late", b"here").unwrap();
    assert_eq!(waiting.join().unwrap().unwrap(), Some(b"here".to_vec()));
}
