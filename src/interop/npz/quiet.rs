//! A file for `ZipWriter`, which completes its archive when it is dropped, and prints to stderr if it cannot.

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

/// Reports the first failure. From then on everything succeeds and goes nowhere, so that an archive that is given up
/// completes in silence.
#[derive(Debug)]
pub(super) struct Quiet<W> {
    inner: W,
    failed: bool,
    /// Where the next byte would go, and where the last one ended, also after a failure: `ZipWriter` subtracts positions.
    position: u64,
    end: u64,
}

impl<W> Quiet<W> {
    /// `inner` is empty.
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

    /// What the inner writer says, or after a failure what it would say if there had been none.
    fn unless_failed<T>(
        &mut self,
        call: impl FnOnce(&mut W) -> io::Result<T>,
        otherwise: T,
    ) -> io::Result<T> {
        if self.failed {
            return Ok(otherwise);
        }
        call(&mut self.inner).inspect_err(|error| {
            // Callers try again after an interruption.
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
