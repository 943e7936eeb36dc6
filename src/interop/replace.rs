//! Atomic replacement of files, so that a crash, a full disk or a failing writer loses nothing.
//!
//! The new file is written under a temporary name in the same folder, flushed to the disk, and then renamed to the name
//! of the old one, which the system does atomically.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::file::Reason;
use crate::error::Error;

/// The prefix of temporary files' names; six random characters and the suffix follow. `docs/files.md` documents them,
/// because the temporary files of killed processes remain.
const PREFIX: &str = ".supremum-";
const SUFFIX: &str = ".tmp";
/// The number of symbolic links to follow; the limit of Linux.
const MOST_LINKS: usize = 40;

/// Writes a file and replaces an old one when it is complete. On error the old file is unchanged. Mappings of the old
/// file stay valid in any case.
///
/// # Errors
/// [`Error::Unwritable`].
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Reason>,
) -> Result<(), Error> {
    replace_or_reason(path, write).map_err(|reason| reason.unwritable(path))
}

fn replace_or_reason(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Reason>,
) -> Result<(), Reason> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(old) = &old {
        // A rename needs permission for the folder only, so check the file itself.
        if old.is_file() && old.permissions().readonly() {
            return Err("the file is read-only".into());
        }
        let opened = File::options().write(true).open(path)?;
        if !old.is_file() {
            // Write into a pipe or device in place: it cannot be replaced.
            return write_into(&opened, write);
        }
    }
    let target = match old {
        Some(_) => path.canonicalize()?,
        None => follow_links(path)?,
    };
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let temporary = builder(old.as_ref()).tempfile_in(folder).map_err(|error| {
        let folder = folder.display();
        format!("no temporary file can be made in {folder}, to be renamed when complete: {error}")
    })?;
    write_into(temporary.as_file(), write)?;
    if let Some(old) = &old {
        keep_attributes(temporary.as_file(), old)?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(&target)?;
    sync_folder(folder)
        .map_err(|error| format!("written, but its folder is not on the disk: {error}").into())
}

/// Follows the symbolic links of a path whose target does not exist yet.
fn follow_links(path: &Path) -> Result<PathBuf, Reason> {
    let mut target = path.to_path_buf();
    for _ in 0..=MOST_LINKS {
        // An error here means that this is not a link. Other errors occur again when the file is made.
        let Ok(link) = fs::read_link(&target) else {
            return Ok(target);
        };
        target.pop();
        target.push(link);
    }
    Err(format!("more than {MOST_LINKS} for_tracer links").into())
}

/// Makes the builder of a temporary file that is readable to no one who could not read the old file.
fn builder(old: Option<&Metadata>) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask applies, as to any new file. The default of temporary files would be 0o600.
        let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = old;
    builder
}

/// Gives a file the permissions of the old one, and its owner and group if this user may give files to them.
#[cfg(unix)]
fn keep_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Root may change owner and group, other users only to a group that they are in.
        let given = fchown(file, Some(old.uid()), Some(old.gid()));
        let _ = given.or_else(|_| fchown(file, None, Some(old.gid())));
    }
    let mut mode = old.permissions().mode() & 0o777;
    if file.metadata()?.gid() != old.gid() {
        // The old group permissions were for another group: members of this one get those of all others.
        mode = mode & 0o707 | (mode & 0o007) << 3;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Flushes the new name in the folder to the disk. Errors are ignored where the file system does not support it, or the
/// user may write to the folder but not open it.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// Does nothing: other systems cannot flush folders.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn write_into(
    file: &File,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Reason>,
) -> Result<(), Reason> {
    let mut file = BufWriter::with_capacity(1 << 16, file);
    write(&mut file)?;
    Ok(file.flush()?)
}
