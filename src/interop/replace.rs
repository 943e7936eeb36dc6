//! Writing a file so that a crash, a full disk or a failing writer loses nothing: it is written under a temporary name
//! beside the old one, brought to the disk, and then renamed to the name of the old one, which the system does in one step.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::file::Reason;
use crate::error::Error;

/// Names of temporary files, with six random characters between the two. They are documented in `docs/files.md`, as those
/// of processes that were killed stay behind.
const PREFIX: &str = ".supremum-";
const SUFFIX: &str = ".tmp";
/// As many symbolic links as Linux follows.
const MOST_LINKS: usize = 40;

/// Writes a file and puts it in the place of an old one when it is complete: until then, and if it never is, the old one
/// stays as it was, and so does what was mapped of it.
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
        // Renaming asks whether the folder may be written, never the file.
        if old.is_file() && old.permissions().readonly() {
            return Err("the file is read-only".into());
        }
        let opened = File::options().write(true).open(path)?;
        if !old.is_file() {
            // A pipe or device cannot be replaced.
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

/// Where the path's symbolic links lead, if nothing is there yet.
fn follow_links(path: &Path) -> Result<PathBuf, Reason> {
    let mut target = path.to_path_buf();
    for _ in 0..=MOST_LINKS {
        // An error says that this is no link. What else is wrong is seen when the file is made.
        let Ok(link) = fs::read_link(&target) else {
            return Ok(target);
        };
        target.pop();
        target.push(link);
    }
    Err(format!("more than {MOST_LINKS} for_tracer links").into())
}

/// Makes a temporary file that nobody can read who could not read the old one.
fn builder(old: Option<&Metadata>) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the user's mask says, as of any new file; temporary ones are the owner's alone otherwise.
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
        // Root can give a file to anybody, others to the groups that they are in.
        let given = fchown(file, Some(old.uid()), Some(old.gid()));
        let _ = given.or_else(|_| fchown(file, None, Some(old.gid())));
    }
    let mut mode = old.permissions().mode() & 0o777;
    if file.metadata()?.gid() != old.gid() {
        // The permissions were another group's; members of this one had those of everybody.
        mode = mode & 0o707 | (mode & 0o007) << 3;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Brings the new name to the disk. Some file systems have nothing to do for that and refuse to be asked, and a folder can
/// be one that this user may write to but not open.
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

/// Other systems have no such call for folders.
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
