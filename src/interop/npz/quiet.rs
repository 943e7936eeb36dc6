//! A writer that keeps `ZipWriter` silent: `ZipWriter` completes its archive when it is dropped, and prints to stderr
//! if that fails.

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

/// Reports the first failure. After it every call succeeds and writes nothing, so that an abandoned archive completes
/// silently.
#[derive(Debug)]
pub(super) struct Quiet<W> {
    inner: W,
    failed: bool,
    /// The position of the next byte and the end of the file, counted on after a failure, because `ZipWriter` subtracts
    /// positions.
    position: u64,
    end: u64,
}

impl<W> Quiet<W> {
    /// Wraps an empty writer.
    pub(super) fn new(inner: W) -> Self {
        Self {
            inner,
            failed: false,
            position: 0,
            end: 0,
        }
    }

    fn moved_to(&mut self, position: u64) -> u64 {
        self.position = position;
        self.end = self.end.max(position);
        position
    }

    /// Returns the result of the inner writer; after a failure, the result that it would have had without one.
    fn unless_failed<T>(
        &mut self,
        call: impl FnOnce(&mut W) -> io::Result<T>,
        otherwise: T,
    ) -> io::Result<T> {
        if self.failed {
            return Ok(otherwise);
        }
        call(&mut self.inner).inspect_err(|error| {
            // An interruption is not a failure: callers try again.
            self.failed = error.kind() != ErrorKind::Interrupted;
        })
    }
}

impl<W: Write> Write for Quiet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.unless_failed(|inner| inner.write(bytes), bytes.len())?;
        let written_bytes = u64::try_from(written).unwrap_or(u64::MAX);
        self.moved_to(self.position.saturating_add(written_bytes));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_failed(Write::flush, ())
    }
}

impl<W: Seek> Seek for Quiet<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let otherwise = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::End(distance) => self.end.saturating_add_signed(distance),
            SeekFrom::Current(distance) => self.position.saturating_add_signed(distance),
        };
        let position = self.unless_failed(|inner| inner.seek(to), otherwise)?;
        Ok(self.moved_to(position))
    }
}
