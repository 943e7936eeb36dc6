//! Errors of loading plugins and making clients. They need no plugin but the fake one.

use std::path::Path;

use supremum::Error;
use supremum::pjrt::{Client, ClientOptions, DeviceError, Plugin, Status};
use supremum::prelude::*;
use supremum::stablehlo::input;

use crate::fake::{self, ALL};

#[allow(unsafe_code, reason = "loads files that are not plugins")]
fn load(path: &Path) -> Error {
    // SAFETY: the tests give files without code to run, or none.
    unsafe { Client::load(path) }.expect_err("no plugin")
}

#[test]
fn a_path_without_a_plugin_is_an_error() {
    let error = load(Path::new("/no/such/plugin.so")).to_string();
    assert!(
        error.starts_with("/no/such/plugin.so: no PJRT plugin: "),
        "{error}"
    );
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.so");
    std::fs::write(&text, "not a library").unwrap();
    for path in [&text, folder.path()] {
        assert!(
            matches!(load(path), Error::Device(DeviceError::Load { .. })),
            "{path:?}"
        );
    }
    // A library that is not a plugin.
    #[cfg(target_os = "linux")]
    {
        let source = folder.path().join("empty.rs");
        std::fs::write(&source, "").unwrap();
        let library = folder.path().join("libempty.so");
        let rustc = Path::new(env!("CARGO")).with_file_name("rustc");
        let compiled = std::process::Command::new(rustc)
            .args(["--crate-type=cdylib", "--crate-name=empty", "-o"])
            .args([&library, &source])
            .status();
        assert!(compiled.unwrap().success());
        let error = load(&library).to_string();
        assert!(error.contains("GetPjrtApi"), "{error}");
    }
    let error = fake::loaded((0, 81), "null").unwrap_err().to_string();
    assert!(
        error.ends_with("no PJRT plugin: GetPjrtApi gives no table of functions"),
        "{error}"
    );
}

#[test]
#[allow(unsafe_code, reason = "loads a plugin")]
fn only_known_versions_are_loaded() {
    for version in [(0, 54), (0, 80), (0, 9999), (1, 81)] {
        let error = fake::loaded(version, ALL).unwrap_err();
        let Error::Device(DeviceError::Version { found, known, .. }) = &error else {
            panic!("{error}");
        };
        assert_eq!(*found, version);
        assert!(known[0] <= (0, 81) && known[1] >= (0, 115));
        let text = error.to_string();
        let expected = format!(
            "PJRT API {}.{}, known to work are 0.81 to 0.117",
            version.0, version.1
        );
        assert!(text.contains(&expected), "{text}");
    }
    let newer = fake::compiled((0, 9999), ALL);
    // SAFETY: the fake plugin is that of API 0.81.
    let plugin = unsafe { Plugin::load_any_version(&newer) }.unwrap();
    assert_eq!(
        (plugin.api_version(), plugin.path()),
        ((0, 9999), &*newer.canonicalize().unwrap())
    );
    assert!(Client::new(plugin, ClientOptions::new()).is_ok());
    // It has been loaded, and is refused all the same.
    assert!(fake::loaded((0, 9999), ALL).is_err());
    // SAFETY: as above; another major version is refused.
    assert!(unsafe { Plugin::load_any_version(fake::compiled((1, 81), ALL)) }.is_err());
}

#[test]
fn a_client_says_what_it_has() {
    let plugin = fake::loaded((0, 81), ALL).unwrap();
    assert_eq!(plugin.attributes().unwrap().len(), 0);
    let client = Client::new(plugin, ClientOptions::new()).unwrap();
    assert_eq!(
        (client.platform(), &*client.platform_version().unwrap()),
        ("fake", "none")
    );
    assert_eq!(
        (client.device_count(), client.process_index()),
        (Ok(1), Ok(0))
    );
    let [device] = client.devices() else {
        panic!("one device")
    };
    assert_eq!(
        (&*device.kind, &*device.name, device.id),
        ("imagined", "FAKE_0", 0)
    );
}

#[test]
fn refusals_have_the_plugins_text() {
    let plugin = fake::loaded((0, 81), ALL).unwrap();
    let made = |options| Client::new(plugin, options).map(drop).unwrap_err();
    let error = made(ClientOptions::new().text("fail", "out of memory\nreally"));
    assert_eq!(
        error,
        Error::Device(DeviceError::Plugin {
            function: "PJRT_Client_Create",
            status: Status::ResourceExhausted,
            message: "out of memory\nreally".into(),
        })
    );
    let text = "PJRT_Client_Create: RESOURCE_EXHAUSTED: out of memory\nreally";
    assert_eq!(error.to_string(), text);
    for (options, kind) in [
        (ClientOptions::new().integer("other", 1), 1),
        (ClientOptions::new().integers("other", &[1, 2]), 2),
        (ClientOptions::new().float("other", 0.5), 3),
        (ClientOptions::new().flag("other", true), 4),
    ] {
        let expected =
            format!("PJRT_Client_Create: INVALID_ARGUMENT: no option `other` of kind {kind}");
        assert_eq!(made(options).to_string(), expected);
    }
    let error = made(ClientOptions::new().integer("devices", 0));
    assert_eq!(error, DeviceError::NoDevices.into());
}

#[test]
fn a_function_that_the_table_does_not_have_is_an_error() {
    let plugin = fake::loaded((0, 81), "12").unwrap();
    let error = Client::new(plugin, ClientOptions::new()).unwrap_err();
    let function = "PJRT_Client_AddressableDevices";
    assert_eq!(error, DeviceError::Missing { function }.into());
    // In a table that is long enough the slot may be empty.
    let plugin = fake::loaded((0, 81), ALL).unwrap();
    let client = Client::new(plugin, ClientOptions::new()).unwrap();
    let error = client.put(&Tensor::<F32, Rank1>::zeros([4])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the plugin does not have PJRT_Client_BufferFromHostBuffer"
    );
    let error = client.function(input::<F32, _>([4]), |x| x).unwrap_err();
    assert_eq!(
        error.to_string(),
        "PJRT_Client_Compile: UNIMPLEMENTED: it compiles nothing"
    );
}

#[test]
#[allow(unsafe_code, reason = "loads no plugin")]
fn the_environment_may_name_none() {
    if std::env::var_os("SUPREMUM_PJRT_PLUGIN").is_none() {
        // SAFETY: without the variable nothing is loaded.
        let error = unsafe { Client::from_env() }.unwrap_err();
        assert_eq!(
            error.to_string(),
            "`SUPREMUM_PJRT_PLUGIN` is not set; it names the plugin's file"
        );
    }
}
