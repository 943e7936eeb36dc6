//! Compiled functions as bytes, with the facts by which they are recognised.
#![allow(
    unsafe_code,
    reason = "the bytes are machine code, which callers vouch for"
)]

use super::client::Client;
use super::function::{Function, Plan};
use super::options::CompileOptions;
use crate::error::{DeviceError, Error};
use crate::stablehlo::Program;

/// The first bytes; the number is that of the format.
const MAGIC: &[u8] = b"supremum executable 1\n";

impl<I, O> Function<I, O> {
    /// Returns the compiled function as bytes, for [`Client::deserialize`]: machine code, the program and the versions of the
    /// plugin.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`] or [`DeviceError::Missing`] if the plugin cannot.
    pub fn serialize(&self) -> Result<Vec<u8>, Error> {
        let code = self.compiled.executable.serialize()?;
        let module = self.compiled.program.to_string();
        let mut bytes = MAGIC.to_vec();
        for (_, value) in facts(&self.compiled.client, &module, &self.compiled.options)? {
            append(&mut bytes, &value);
        }
        append(&mut bytes, &code);
        Ok(bytes)
    }
}

impl Client {
    /// Loads a function that [`Function::serialize`] saved, without compiling it again.
    ///
    /// # Errors
    /// [`DeviceError::Saved`] if the bytes are of another program, options, plugin or version, or are not complete; then compile
    /// the program. [`DeviceError::Plugin`] if the plugin refuses them.
    ///
    /// # Safety
    /// The bytes are those of [`Function::serialize`], unchanged, and come from somebody who can be trusted: they are machine
    /// code, which the function runs. They were made on a machine with the same processor: the plugin may use instructions that
    /// another does not have.
    pub unsafe fn deserialize<I, O>(
        &self,
        program: &Program<I, O>,
        bytes: &[u8],
    ) -> Result<Function<I, O>, Error> {
        // SAFETY: the caller guarantees what the bytes are (see # Safety).
        unsafe { self.deserialize_with(program, &CompileOptions::new(), bytes) }
    }

    /// Reads back a function that was [compiled with](Self::compile_with) options; see [`Self::deserialize`].
    ///
    /// # Errors
    /// The errors of [`Self::deserialize`].
    ///
    /// # Safety
    /// The conditions of [`Self::deserialize`].
    pub unsafe fn deserialize_with<I, O>(
        &self,
        program: &Program<I, O>,
        options: &CompileOptions,
        bytes: &[u8],
    ) -> Result<Function<I, O>, Error> {
        let plan = Plan::new(self, program, options)?;
        let incomplete = || saved("format", "a complete executable".into(), "another".into());
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(incomplete)?;
        for (what, expected) in facts(self, &program.to_string(), &plan.options)? {
            let found = take(&mut rest).ok_or_else(incomplete)?;
            if found != expected {
                return Err(saved(what, shown(&expected), shown(found)));
            }
        }
        let code = take(&mut rest).ok_or_else(incomplete)?;
        let [inputs, outputs] = plan.parts();
        // SAFETY: the caller guarantees that the code is that of `serialize`; program, options, plugin and its versions, which
        // are saved beside it, are those of this client (compared above).
        let executable = unsafe { self.raw.deserialize(code, inputs, &outputs)? };
        Function::new(self, program, plan, executable)
    }
}

/// The facts that have to be the same when the executable is loaded, by their names.
fn facts(
    client: &Client,
    module: &str,
    options: &[u8],
) -> Result<[(&'static str, Vec<u8>); 4], Error> {
    let (major, minor) = client.plugin().api_version();
    let attributes = client.plugin().attributes()?;
    let version = format!(
        "{major}.{minor} {} {attributes:?}",
        client.platform_version()?
    );
    let devices: Vec<&str> = client
        .devices()
        .iter()
        .map(|device| &*device.kind)
        .collect();
    let platform = format!("{} {devices:?}", client.platform());
    Ok([
        ("the platform", platform.into_bytes()),
        ("the plugin's version", version.into_bytes()),
        ("the options", options.to_vec()),
        ("the program", module.as_bytes().to_vec()),
    ])
}

/// Appends bytes after their length.
fn append(to: &mut Vec<u8>, bytes: &[u8]) {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    to.extend_from_slice(&length.to_le_bytes());
    to.extend_from_slice(bytes);
}

/// Takes bytes that [`append`] appended; `None` if there are fewer.
fn take<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = from.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (bytes, rest) = rest.split_at_checked(length)?;
    *from = rest;
    Some(bytes)
}

fn saved(what: &'static str, expected: String, found: String) -> Error {
    DeviceError::Saved {
        what,
        expected,
        found,
    }
    .into()
}

/// Shows the first characters of a fact.
fn shown(fact: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(fact).chars().take(200).collect();
    let text = text.escape_debug();
    match fact.len() > 200 {
        true => format!("`{text}` .. ({} bytes)", fact.len()),
        false => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_without_its_bytes_is_refused() {
        let mut bytes = Vec::new();
        append(&mut bytes, b"abc");
        append(&mut bytes, b"");
        let mut rest = &bytes[..];
        assert_eq!(take(&mut rest), Some(&b"abc"[..]));
        assert_eq!(take(&mut rest), Some(&b""[..]));
        assert_eq!(take(&mut rest), None);
        for length in 0..11 {
            assert_eq!(take(&mut &bytes[..length]), None, "{length}");
        }
        assert_eq!(take(&mut &u64::MAX.to_le_bytes()[..]), None);
    }
}
