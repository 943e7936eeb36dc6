//! Plugins: shared libraries that export `GetPjrtApi`, a table of functions.

use core::ffi::{c_char, c_int, c_void};
use core::fmt;
use core::ptr::NonNull;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::ffi::{self, Api, Call};
use crate::error::{DeviceError, Error, Status};

/// The oldest and the newest minor version of the API (0.x) that are known to work. The structs of `ffi.rs` are those of the
/// oldest. Programs ran on plugins of 0.81 and 0.115; a plugin of 0.116 was loaded, and one of 0.117 told its version.
const KNOWN: [c_int; 2] = [81, 117];

/// A loaded plugin of PJRT's C API. It is never unloaded, because its threads outlive its clients.
#[derive(Clone, Copy)]
pub struct Plugin {
    /// The start of the table. A pointer, because a reference would not reach the functions behind the start.
    api: NonNull<Api>,
    path: &'static Path,
}

// SAFETY: nothing writes to the table of functions after `GetPjrtApi` has returned it, and the C API allows calls of its
// functions from any thread. The path is `Send`.
unsafe impl Send for Plugin {}
// SAFETY: a shared `Plugin` only reads the table, which nothing writes to; the path is `Sync`.
unsafe impl Sync for Plugin {}

/// A value that a plugin tells about itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Attribute {
    /// A text.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A list of integers, such as a version.
    Integers(Vec<i64>),
    /// A number.
    Float(f32),
    /// A boolean.
    Bool(bool),
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.api_version();
        write!(
            f,
            "Plugin({}, PJRT API {major}.{minor})",
            self.path.display()
        )
    }
}

impl Plugin {
    /// Loads a plugin and initialises it, once for each path.
    ///
    /// # Errors
    /// [`DeviceError::Load`] if the file cannot be loaded or is not a plugin, [`DeviceError::Version`] if its version of the API
    /// is not known to work, [`DeviceError::Plugin`] if it cannot be initialised.
    ///
    /// # Safety
    /// The file is a PJRT plugin that can be trusted: loading it runs its code in this process.
    pub unsafe fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        // SAFETY: the caller guarantees that the file is a plugin that can be trusted (see # Safety).
        unsafe { Self::load_of(path.as_ref(), false) }
    }

    /// Loads a plugin as [`Self::load`] does, whatever minor version of the API (0.x) it has. The API promises that newer
    /// plugins work; older ones have another table of functions.
    ///
    /// # Errors
    /// The errors of [`Self::load`]; [`DeviceError::Version`] for other major versions.
    ///
    /// # Safety
    /// The condition of [`Self::load`]. The functions and structs of the plugin's version are those of API 0.81, except
    /// that structs may have grown at their ends.
    pub unsafe fn load_any_version(path: impl AsRef<Path>) -> Result<Self, Error> {
        // SAFETY: the caller guarantees that the file is a plugin that can be trusted, of a compatible version (see #
        // Safety).
        unsafe { Self::load_of(path.as_ref(), true) }
    }

    /// # Safety
    /// The contract of [`Self::load`], with `any_version` the contract of [`Self::load_any_version`].
    unsafe fn load_of(path: &Path, any_version: bool) -> Result<Self, Error> {
        static LOADED: Mutex<BTreeMap<PathBuf, Plugin>> = Mutex::new(BTreeMap::new());
        let failed = |reason: String| DeviceError::Load {
            path: path.into(),
            reason,
        };
        let key = path
            .canonicalize()
            .map_err(|error| failed(error.to_string()))?;
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plugin) = loaded.get(&key) {
            plugin.check_version(any_version)?;
            return Ok(*plugin);
        }
        // SAFETY: the caller guarantees that the file is a plugin that can be trusted, so its initialisers may run.
        let library = unsafe { libloading::Library::new(&key) };
        let library = library.map_err(|error| failed(with_source(&error)))?;
        // SAFETY: in a PJRT plugin, which the caller guarantees this to be, the symbol is a function of this type.
        let get = unsafe { library.get::<unsafe extern "C" fn() -> *const Api>(b"GetPjrtApi\0") };
        let get = get
            .map(|symbol| *symbol)
            .map_err(|error| failed(with_source(&error)))?;
        // Never unloaded, not even on error: the plugin may have started threads.
        core::mem::forget(library);
        // SAFETY: `get` is the plugin's `GetPjrtApi`, which takes no arguments.
        let api = NonNull::new(unsafe { get() }.cast_mut());
        let plugin = Self {
            api: api.ok_or_else(|| failed("GetPjrtApi gives no table of functions".into()))?,
            path: Box::leak(key.clone().into_boxed_path()),
        };
        let size = plugin.start().struct_size;
        if size < size_of::<Api>() {
            return Err(failed(format!("a table of {size} bytes")).into());
        }
        plugin.check_version(any_version)?;
        // SAFETY: the struct has no pointers but those that are null.
        unsafe { plugin.call(&mut ffi::Plugin_Initialize::default())? };
        loaded.insert(key, plugin);
        Ok(plugin)
    }

    fn check_version(&self, any_minor: bool) -> Result<(), DeviceError> {
        let found = self.api_version();
        let is_known = (KNOWN[0]..=KNOWN[1]).contains(&found.1);
        match found.0 == 0 && (any_minor || is_known) {
            true => Ok(()),
            false => Err(DeviceError::Version {
                path: self.path.into(),
                found,
                known: KNOWN.map(|minor| (0, minor)),
            }),
        }
    }

    /// The start of the plugin's table.
    fn start(&self) -> &'static Api {
        // SAFETY: `GetPjrtApi` gives a constant table, which begins with this struct; the library stays loaded, so the reference
        // is valid for ever.
        unsafe { self.api.as_ref() }
    }

    /// The version of the C API that the plugin has: major and minor number.
    pub fn api_version(&self) -> (i32, i32) {
        let version = &self.start().version;
        (version.major_version, version.minor_version)
    }

    /// The file from which it was loaded.
    pub fn path(&self) -> &'static Path {
        self.path
    }

    /// Asks the plugin for its attributes, such as its versions of XLA and StableHLO.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub fn attributes(&self) -> Result<BTreeMap<String, Attribute>, Error> {
        let mut args = ffi::Plugin_Attributes::default();
        // SAFETY: the struct has no pointers but those that the plugin sets.
        unsafe { self.call(&mut args)? };
        let mut all = BTreeMap::new();
        for index in 0..args.num_attributes {
            // SAFETY: the call gave a list of `num_attributes` values, which live as long as the plugin. Each value is the
            // union's field of its kind, and texts and lists have their lengths beside them.
            unsafe {
                let named = &*args.attributes.add(index);
                let value = match named.kind {
                    ffi::STRING => Attribute::Text(text(named.value.string, named.value_size)),
                    ffi::INT64 => Attribute::Integer(named.value.int64),
                    ffi::INT64_LIST => {
                        Attribute::Integers(list(named.value.int64s, named.value_size).to_vec())
                    }
                    ffi::FLOAT => Attribute::Float(named.value.float),
                    ffi::BOOL => Attribute::Bool(named.value.bool),
                    _ => continue,
                };
                all.insert(text(named.name, named.name_size), value);
            }
        }
        Ok(all)
    }

    /// Calls a function of the table.
    ///
    /// # Errors
    /// [`DeviceError::Missing`] if the plugin's table does not have it, [`DeviceError::Plugin`] if it fails.
    ///
    /// # Safety
    /// The pointers in `args` are those that the function's documentation asks for.
    #[inline]
    pub(super) unsafe fn call<C: Call>(&self, args: &mut C) -> Result<(), Error> {
        let function = self.function::<C>()?;
        // SAFETY: the function takes a struct of this type, which is valid and says its own size (`Default`); the caller
        // guarantees its pointers.
        let error = unsafe { function(args) };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the function gave this error, and nobody else has it.
        Err(unsafe { self.error(C::NAME, error) })
    }

    /// The function of the table that takes this struct.
    #[inline]
    fn function<C: Call>(
        &self,
    ) -> Result<unsafe extern "C" fn(*mut C) -> *mut ffi::Error, DeviceError> {
        let missing = DeviceError::Missing { function: C::NAME };
        let pointer = self.slot(C::SLOT).ok_or(missing)?;
        // SAFETY: by `Call`, the pointer at this slot is a function of this type.
        Ok(unsafe {
            core::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut C) -> *mut ffi::Error>(
                pointer,
            )
        })
    }

    /// The pointer at a slot of the table; `None` if the table is shorter or the plugin leaves the slot empty.
    #[inline]
    fn slot(&self, slot: usize) -> Option<*const c_void> {
        let offset = size_of::<Api>() + slot * size_of::<usize>();
        if offset + size_of::<usize>() > self.start().struct_size {
            return None;
        }
        // SAFETY: the table has `struct_size` bytes, which includes this pointer (checked above). All of the table is
        // pointers after the start, so it is aligned.
        let pointer = unsafe { self.api.byte_add(offset).cast::<*const c_void>().read() };
        (!pointer.is_null()).then_some(pointer)
    }

    /// Reads an error and destroys it.
    ///
    /// # Safety
    /// The error is one of this plugin, not null, and nobody else uses it any more.
    #[cold]
    pub(super) unsafe fn error(&self, function: &'static str, error: *mut ffi::Error) -> Error {
        let (status, message) = {
            let mut code = ffi::Error_GetCode {
                error,
                ..Default::default()
            };
            let mut message = ffi::Error_Message_Args {
                error,
                ..Default::default()
            };
            let status = match self.function::<ffi::Error_GetCode>() {
                // SAFETY: the struct has a live error (the caller guarantees it).
                Ok(get) if unsafe { get(&mut code) }.is_null() => Status::of_code(code.code),
                _ => Status::Unknown,
            };
            // SAFETY: slot 1 is `PJRT_Error_Message`, which takes this struct; it has a live error, and the text lives as
            // long as the error.
            let message = unsafe {
                self.void_call(1, &mut message);
                text(message.message, message.message_size)
            };
            (status, message)
        };
        let mut destroy = ffi::Error_Destroy_Args {
            error,
            ..Default::default()
        };
        // SAFETY: slot 0 is `PJRT_Error_Destroy`, which takes this struct; nobody uses the error after it.
        unsafe { self.void_call(0, &mut destroy) };
        let error = DeviceError::Plugin {
            function,
            status,
            message,
        };
        error.into()
    }

    /// Calls one of the two functions that return nothing.
    ///
    /// # Safety
    /// The slot's function takes a struct of this type, and the struct's pointers are those that it asks for.
    unsafe fn void_call<T>(&self, slot: usize, args: &mut T) {
        if let Some(pointer) = self.slot(slot) {
            // SAFETY: the caller guarantees the function's type and the struct's pointers.
            unsafe {
                let function =
                    core::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut T)>(pointer);
                function(args);
            }
        }
    }
}

/// An error's text and its cause, which has the name of the missing symbol or file.
fn with_source(error: &dyn core::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// Copies a text of the plugin.
///
/// # Safety
/// `start` is null, or `length` bytes can be read there.
pub(super) unsafe fn text(start: *const c_char, length: usize) -> String {
    // SAFETY: the caller guarantees the bytes.
    String::from_utf8_lossy(unsafe { list(start.cast::<u8>(), length) }).into_owned()
}

/// Borrows a list of the plugin.
///
/// # Safety
/// `start` is null, or `length` elements can be read there, which nobody writes to during `'a`.
pub(super) unsafe fn list<'a, T>(start: *const T, length: usize) -> &'a [T] {
    if start.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: the caller guarantees the elements, and `start` is not null.
    unsafe { core::slice::from_raw_parts(start, length) }
}
