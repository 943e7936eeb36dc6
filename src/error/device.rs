//! [`DeviceError`]: what plugins refuse, and arguments that a function on devices does not take.

use core::fmt;
use std::path::PathBuf;

use super::wording::counted;

/// An error of a plugin, or of the use of its devices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// A file that is not a plugin, or that cannot be loaded.
    #[error("{}: no PJRT plugin: {reason}", .path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// The reason, as text.
        reason: String,
    },
    /// An environment variable that should name a plugin and is not set.
    #[error("`{variable}` is not set; it names the plugin's file")]
    NoPlugin {
        /// The variable.
        variable: &'static str,
    },
    /// A plugin of a version that is not known to work.
    #[error(
        "{}: PJRT API {}.{}, known to work are {}.{} to {}.{}; `Plugin::load_any_version` loads others", .path.display(),
        .found.0, .found.1, .known[0].0, .known[0].1, .known[1].0, .known[1].1
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the plugin's API: major and minor number.
        found: (i32, i32),
        /// The oldest and the newest version that are known to work.
        known: [(i32, i32); 2],
    },
    /// A function that the plugin does not have.
    #[error("the plugin does not have {function}")]
    Missing {
        /// The function's name in the C API.
        function: &'static str,
    },
    /// An error of the plugin.
    #[error("{function}: {status}: {message}")]
    Plugin {
        /// The function's name in the C API.
        function: &'static str,
        /// The kind of error.
        status: Status,
        /// The plugin's text, which can have several lines.
        message: String,
    },
    /// A client without devices.
    #[error("the plugin's client has no devices")]
    NoDevices,
    /// A client of one process, although a client of several processes was requested.
    #[error(
        "the plugin made a client of {devices} devices, all of this process, where {num_nodes} processes were asked for"
    )]
    OneProcess {
        /// The number of processes that was asked for.
        num_nodes: i64,
        /// The number of the client's devices.
        devices: usize,
    },
    /// A device that the client does not have.
    #[error("no device {device}: this process has {devices} devices")]
    NoSuchDevice {
        /// The position of the device, or the number of devices that are needed less one.
        device: usize,
        /// The number of devices.
        devices: usize,
    },
    /// An argument whose value an earlier call has taken.
    #[error("argument {number} was given up to an earlier call")]
    GivenUp {
        /// The position of the argument.
        number: usize,
    },
    /// A wrong number of arguments, or of elements in a vector of arguments.
    #[error("{} expected, found {found}", counted(*.expected, "arguments"))]
    Count {
        /// The number of arguments that the function takes.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// An argument of another dtype or shape.
    #[error("argument {number}: expected {expected}, found {found}")]
    Argument {
        /// Its position.
        number: usize,
        /// The dtype and shape that the function takes.
        expected: String,
        /// The dtype and shape that was given.
        found: String,
    },
    /// An argument on other devices than the function runs on.
    #[error("argument {number}: expected {expected}, found {found}")]
    Placement {
        /// Its position.
        number: usize,
        /// The devices and the split that the function takes.
        expected: String,
        /// The devices of the argument.
        found: String,
    },
    /// A program that the plugin compiled to results of other dtypes or shapes.
    #[error("result {number}: the program gives {expected}, the compiled one {found}")]
    Compiled {
        /// Its position.
        number: usize,
        /// The dtype and shape in the program.
        expected: String,
        /// The dtype and shape that the plugin reports.
        found: String,
    },
    /// A saved executable of another program, plugin or version.
    #[error("saved executable: {what} is another: expected {expected}, found {found}")]
    Saved {
        /// The part that differs.
        what: &'static str,
        /// Its value here.
        expected: String,
        /// Its value in the saved executable.
        found: String,
    },
}

/// The kind of a plugin's error: the status codes of Abseil, which gRPC has too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it")]
pub enum Status {
    Cancelled,
    Unknown,
    InvalidArgument,
    DeadlineExceeded,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    ResourceExhausted,
    FailedPrecondition,
    Aborted,
    OutOfRange,
    Unimplemented,
    Internal,
    Unavailable,
    DataLoss,
    Unauthenticated,
}

impl Status {
    /// The status of a code of the C API; unknown codes are [`Self::Unknown`].
    pub(crate) fn of_code(code: u32) -> Self {
        const ALL: [Status; 16] = [
            Status::Cancelled,
            Status::Unknown,
            Status::InvalidArgument,
            Status::DeadlineExceeded,
            Status::NotFound,
            Status::AlreadyExists,
            Status::PermissionDenied,
            Status::ResourceExhausted,
            Status::FailedPrecondition,
            Status::Aborted,
            Status::OutOfRange,
            Status::Unimplemented,
            Status::Internal,
            Status::Unavailable,
            Status::DataLoss,
            Status::Unauthenticated,
        ];
        let position = usize::try_from(code)
            .ok()
            .and_then(|code| code.checked_sub(1));
        let known = position.and_then(|position| ALL.get(position));
        known.copied().unwrap_or(Self::Unknown)
    }
}

/// Prints the name as the C API has it, such as `INVALID_ARGUMENT`.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, letter) in format!("{self:?}").chars().enumerate() {
            let separator = if at > 0 && letter.is_uppercase() {
                "_"
            } else {
                ""
            };
            write!(f, "{separator}{}", letter.to_ascii_uppercase())?;
        }
        Ok(())
    }
}
