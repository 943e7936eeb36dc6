//! A plugin that runs nothing, for tests of what happens before a program runs: versions, options, errors, the key-value
//! store. The tests compile it with `rustc` as a library of its own (`fake.rs`). `MINOR` and `SLOTS` are set when it is compiled:
//! its version, and the number of functions in its table.
#![allow(non_snake_case, reason = "the C API's name")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

type Function = unsafe extern "C" fn(*mut Args) -> *mut Failure;

#[repr(C)]
struct Table {
    size: usize,
    extensions: usize,
    version_size: usize,
    version_extensions: usize,
    version: [c_int; 2],
    functions: [Option<Function>; 120],
}

/// The arguments of all functions: words after size and extensions.
#[repr(C)]
struct Args {
    size: usize,
    extensions: usize,
    words: [usize; 10],
}

struct Failure {
    code: u32,
    message: String,
}

#[derive(Default)]
struct FakeClient {
    devices: usize,
    all_devices: usize,
    version: String,
}

/// The handles of devices point anywhere but to null.
static DEVICE: u64 = 0;
static DEVICES: Pointers = Pointers([&raw const DEVICE; 4]);
struct Pointers([*const u64; 4]);
unsafe impl Sync for Pointers {}

fn failure(code: u32, message: String) -> *mut Failure {
    Box::into_raw(Box::new(Failure { code, message }))
}

unsafe fn bytes<'a>(start: usize, length: usize) -> &'a [u8] {
    match length {
        0 => &[],
        _ => unsafe { std::slice::from_raw_parts(start as *const u8, length) },
    }
}

unsafe fn give(args: *mut Args, at: usize, text: &'static str) {
    unsafe {
        (*args).words[at] = text.as_ptr() as usize;
        (*args).words[at + 1] = text.len();
    }
}

unsafe extern "C" fn error_destroy(args: *mut Args) -> *mut Failure {
    drop(unsafe { Box::from_raw((*args).words[0] as *mut Failure) });
    null_mut()
}

unsafe extern "C" fn error_message(args: *mut Args) -> *mut Failure {
    unsafe {
        let message = &(*((*args).words[0] as *const Failure)).message;
        (*args).words[1] = message.as_ptr() as usize;
        (*args).words[2] = message.len();
    }
    null_mut()
}

unsafe extern "C" fn error_code(args: *mut Args) -> *mut Failure {
    unsafe { (*args).words[1] = (*((*args).words[0] as *const Failure)).code as usize };
    null_mut()
}

unsafe extern "C" fn nothing(_: *mut Args) -> *mut Failure {
    null_mut()
}

#[repr(C)]
struct Named {
    size: usize,
    extensions: usize,
    name: usize,
    name_size: usize,
    kind: u32,
    value: u64,
    value_size: usize,
}

type Make = unsafe extern "C" fn(u32, *const c_char, usize) -> *mut Failure;
static MAKE: Option<Make> = Some(make);

unsafe extern "C" fn make(code: u32, message: *const c_char, size: usize) -> *mut Failure {
    let message = unsafe { bytes(message as usize, size) };
    failure(code, String::from_utf8_lossy(message).into_owned())
}

#[repr(C)]
struct Get {
    size: usize,
    extensions: usize,
    key: *const u8,
    key_size: usize,
    timeout: c_int,
    make: *const Option<Make>,
    user: usize,
    value: *mut c_char,
    value_size: usize,
    delete: Option<unsafe extern "C" fn(*mut c_char)>,
}

#[repr(C)]
struct TryGet {
    size: usize,
    extensions: usize,
    key: *const u8,
    key_size: usize,
    make: *const Option<Make>,
    user: usize,
    value: *mut c_char,
    value_size: usize,
    delete: Option<unsafe extern "C" fn(*mut c_char)>,
}

#[repr(C)]
struct Put {
    size: usize,
    extensions: usize,
    key: *const u8,
    key_size: usize,
    value: *const u8,
    value_size: usize,
    make: *const Option<Make>,
    user: usize,
}

/// The callbacks of the store, as `Client_Create` gets them.
struct Store<'a>(&'a Args);

impl Store<'_> {
    unsafe fn put(&self, key: &str, value: &str) -> Result<(), *mut Failure> {
        let put: unsafe extern "C" fn(*mut Put) -> *mut Failure =
            unsafe { std::mem::transmute(self.0.words[4]) };
        let mut args = Put {
            size: size_of::<Put>(),
            extensions: 0,
            key: key.as_ptr(),
            key_size: key.len(),
            value: value.as_ptr(),
            value_size: value.len(),
            make: &raw const MAKE,
            user: self.0.words[5],
        };
        let failed = unsafe { put(&mut args) };
        if failed.is_null() { Ok(()) } else { Err(failed) }
    }

    unsafe fn get(&self, key: &str, timeout: c_int) -> Result<String, *mut Failure> {
        let get: unsafe extern "C" fn(*mut Get) -> *mut Failure =
            unsafe { std::mem::transmute(self.0.words[2]) };
        let mut args = Get {
            size: size_of::<Get>(),
            extensions: 0,
            key: key.as_ptr(),
            key_size: key.len(),
            timeout,
            make: &raw const MAKE,
            user: self.0.words[3],
            value: null_mut(),
            value_size: 0,
            delete: None,
        };
        let failed = unsafe { get(&mut args) };
        if !failed.is_null() {
            return Err(failed);
        }
        unsafe { Ok(taken(args.value, args.value_size, args.delete)) }
    }

    unsafe fn try_get(&self, key: &str) -> Result<String, *mut Failure> {
        let get: unsafe extern "C" fn(*mut TryGet) -> *mut Failure =
            unsafe { std::mem::transmute(self.0.words[7]) };
        let mut args = TryGet {
            size: size_of::<TryGet>(),
            extensions: 0,
            key: key.as_ptr(),
            key_size: key.len(),
            make: &raw const MAKE,
            user: self.0.words[8],
            value: null_mut(),
            value_size: 0,
            delete: None,
        };
        let failed = unsafe { get(&mut args) };
        if !failed.is_null() {
            return Err(failed);
        }
        unsafe { Ok(taken(args.value, args.value_size, args.delete)) }
    }
}

unsafe fn taken(
    value: *mut c_char,
    size: usize,
    delete: Option<unsafe extern "C" fn(*mut c_char)>,
) -> String {
    unsafe {
        let text = String::from_utf8_lossy(bytes(value as usize, size)).into_owned();
        delete.expect("a deleter")(value);
        text
    }
}

/// Returns the names that all nodes said, each its own.
unsafe fn meet(store: &Store<'_>, node: u64, nodes: u64) -> Result<String, *mut Failure> {
    unsafe {
        if let Err(missing) = store.try_get("no such key") {
            let code = Box::from_raw(missing).code;
            assert_eq!(code, 5, "NOT_FOUND");
        } else {
            return Err(failure(13, "a key that nobody has put".into()));
        }
        store.put(&format!("node {node}"), &format!("node {node} of {nodes} is here"))?;
        let all: Result<Vec<_>, _> =
            (0..nodes).map(|other| store.get(&format!("node {other}"), 20_000)).collect();
        store.try_get(&format!("node {node}"))?;
        Ok(all?.join("; "))
    }
}

unsafe extern "C" fn client_create(args: *mut Args) -> *mut Failure {
    let args = unsafe { &mut *args };
    let mut client = FakeClient {
        devices: 1,
        all_devices: 1,
        version: "none".into(),
    };
    let (mut node, mut nodes, mut is_alone) = (0, 1, false);
    for at in 0..args.words[1] {
        let named = unsafe { &*(args.words[0] as *const Named).add(at) };
        let name = unsafe { bytes(named.name, named.name_size) };
        let text = || unsafe {
            let value = bytes(named.value as usize, named.value_size);
            String::from_utf8_lossy(value).into_owned()
        };
        match name {
            b"fail" => return failure(8, text()),
            b"devices" => client.devices = named.value as usize,
            b"node_id" => node = named.value,
            b"num_nodes" => nodes = named.value,
            b"alone" => is_alone = true,
            other => {
                let other = String::from_utf8_lossy(other);
                return failure(3, format!("no option `{other}` of kind {}", named.kind));
            }
        }
    }
    if nodes > 1 && !is_alone {
        match unsafe { meet(&Store(args), node, nodes) } {
            Ok(said) => client.version = said,
            Err(failed) => return failed,
        }
        client.all_devices = nodes as usize;
    }
    args.words[6] = Box::into_raw(Box::new(client)) as usize;
    null_mut()
}

unsafe fn client<'a>(args: *mut Args) -> &'a FakeClient {
    unsafe { &*((*args).words[0] as *const FakeClient) }
}

unsafe extern "C" fn client_destroy(args: *mut Args) -> *mut Failure {
    drop(unsafe { Box::from_raw((*args).words[0] as *mut FakeClient) });
    null_mut()
}

unsafe extern "C" fn platform_name(args: *mut Args) -> *mut Failure {
    unsafe { give(args, 1, "fake") };
    null_mut()
}

unsafe extern "C" fn platform_version(args: *mut Args) -> *mut Failure {
    unsafe {
        let version = &client(args).version;
        (*args).words[1] = version.as_ptr() as usize;
        (*args).words[2] = version.len();
    }
    null_mut()
}

unsafe extern "C" fn devices(args: *mut Args) -> *mut Failure {
    unsafe {
        (*args).words[1] = DEVICES.0.as_ptr() as usize;
        (*args).words[2] = client(args).all_devices;
    }
    null_mut()
}

unsafe extern "C" fn addressable_devices(args: *mut Args) -> *mut Failure {
    unsafe {
        (*args).words[1] = DEVICES.0.as_ptr() as usize;
        (*args).words[2] = client(args).devices;
    }
    null_mut()
}

unsafe extern "C" fn description(args: *mut Args) -> *mut Failure {
    unsafe { (*args).words[1] = (*args).words[0] };
    null_mut()
}

unsafe extern "C" fn device_kind(args: *mut Args) -> *mut Failure {
    unsafe { give(args, 1, "imagined") };
    null_mut()
}

unsafe extern "C" fn device_name(args: *mut Args) -> *mut Failure {
    unsafe { give(args, 1, "FAKE_0") };
    null_mut()
}

unsafe extern "C" fn compile(_: *mut Args) -> *mut Failure {
    failure(12, "it compiles nothing".into())
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

#[unsafe(no_mangle)]
pub extern "C" fn GetPjrtApi() -> *const c_void {
    static TABLE: OnceLock<Table> = OnceLock::new();
    if env!("SLOTS") == "null" {
        return null();
    }
    let table = TABLE.get_or_init(|| {
        let mut functions: [Option<Function>; 120] = [None; 120];
        let known: [(usize, Function); 17] = [
            (0, error_destroy),
            (1, error_message),
            (2, error_code),
            (3, nothing),
            (4, nothing),
            (10, client_create),
            (11, client_destroy),
            (12, platform_name),
            (13, nothing),
            (14, platform_version),
            (15, devices),
            (16, addressable_devices),
            (20, compile),
            (23, nothing),
            (24, nothing),
            (26, device_kind),
            (28, device_name),
        ];
        for (slot, function) in known {
            functions[slot] = Some(function);
        }
        functions[29] = Some(description);
        Table {
            size: 40 + 8 * number(env!("SLOTS")),
            extensions: 0,
            version_size: 24,
            version_extensions: 0,
            version: [number(env!("MAJOR")) as c_int, number(env!("MINOR")) as c_int],
            functions,
        }
    });
    std::ptr::from_ref(table).cast()
}
