//! Functions on devices. The tests of `errors` and `store` need no plugin. Those of the other modules run with the plugin that
//! `SUPREMUM_PJRT_PLUGIN` names, one for CPUs, and say SKIPPED without; `scripts/pjrt_check` downloads some and runs them.
#![cfg(feature = "pjrt")]

mod errors;
mod fake;
mod functions;
mod memory;
mod sharded;
mod store;

use std::sync::OnceLock;

use supremum::pjrt::{Client, ClientOptions, Plugin};

/// The number of devices of the tests' client.
const DEVICES: usize = 8;

/// A client of the plugin under test with eight devices; `None` says that there is no plugin.
fn client() -> Option<&'static Client> {
    static CLIENT: OnceLock<Option<Client>> = OnceLock::new();
    let client = CLIENT.get_or_init(|| {
        let options = ClientOptions::new().integer("cpu_device_count", 8);
        plugin().map(|plugin| Client::new(plugin, options).expect("a client"))
    });
    client.as_ref()
}

/// The plugin under test.
fn plugin() -> Option<Plugin> {
    let path = std::env::var_os("SUPREMUM_PJRT_PLUGIN").filter(|path| !path.is_empty());
    let Some(path) = path else {
        eprintln!("SKIPPED: SUPREMUM_PJRT_PLUGIN names no plugin");
        return None;
    };
    // SAFETY: the variable names the plugin that these tests are about.
    #[allow(unsafe_code, reason = "loads a plugin")]
    Some(unsafe { Plugin::load(path) }.expect("a plugin"))
}
