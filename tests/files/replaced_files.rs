//! The effects of a written file on the one that was there: permissions, owners, links, failures, and processes that die.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use supremum::prelude::*;
use supremum::{NpzFile, SafeTensorsFile};

/// The user and group `nobody`.
const NOBODY: u32 = 65_534;

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder that every user may enter.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        set_mode(folder.path(), 0o755);
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).expect("the folder is there");
        let names = files.map(|file| file.expect("a file").file_name());
        let mut names: Vec<_> = names.map(|name| name.display().to_string()).collect();
        names.sort();
        names
    }
}

fn mode(path: &Path) -> u32 {
    let metadata = fs::metadata(path).expect("it is there");
    metadata.permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

fn ours() -> Tensor<F32, Rank1> {
    tensor![1.0, 2.0]
}

/// Writes in each format; `path` ends without an extension.
fn write_all(path: &Path, tensor: &Tensor<F32, Rank1>) -> [(PathBuf, Result<(), Error>); 3] {
    let named = |extension| path.with_extension(extension);
    let (npy, npz, safetensors) = (named("npy"), named("npz"), named("safetensors"));
    let results = [
        tensor.write_npy(&npy),
        NpzFile::write(&npz, &[("t", tensor)]),
        SafeTensorsFile::write(&safetensors, &[("t", tensor)]),
    ];
    let mut paths = [npy, npz, safetensors].into_iter();
    results.map(|result| (paths.next().expect("as many"), result))
}

fn reason(result: Result<(), Error>) -> String {
    match result {
        Err(Error::Unwritable { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

/// Does what the variable says, in a process of its own; see [`child`].
#[test]
fn as_a_child() {
    let Ok(work) = std::env::var("SUPREMUM_CHILD") else {
        return;
    };
    let (work, path) = work.split_once(' ').expect("work and a path");
    let path = Path::new(path);
    match work {
        "write" => {
            for (path, result) in write_all(path, &(&ours() * 2.0)) {
                match result {
                    Ok(()) => println!("wrote {}", path.display()),
                    Err(error) => println!("failed {error}"),
                }
            }
        }
        "write-large" => {
            let large = Tensor::<F32, Rank1>::ones([1 << 20]);
            for (_, result) in write_all(path, &large) {
                println!("failed {}", reason(result));
            }
        }
        "write-device" => {
            let large = Tensor::<F32, Rank1>::ones([1 << 20]);
            println!("failed {}", reason(NpzFile::write(path, &[("t", &large)])));
            // What fits into the buffers fails when they are emptied.
            println!("failed {}", reason(NpzFile::write(path, &[("t", &ours())])));
        }
        "write-pipe" => {
            ours().write_npy(path).expect("somebody reads");
            println!("failed {}", reason(NpzFile::write(path, &[("t", &ours())])));
        }
        other => panic!("{other}"),
    }
}

/// A shell command, `before`, on a program that runs [`as_a_child`], from a copy of the tests that every user can run.
fn child(folder: &Folder, work: &str, path: &Path, before: &str) -> Command {
    let tests = folder.path("tests");
    let own = std::env::current_exe().expect("this is a program");
    // Another process copies it. If this one did, a process that a concurrent test starts meanwhile would hold the file open for writing,
    // and such a file cannot be run.
    let copied = Command::new("cp").arg(own).arg(&tests).status();
    assert!(copied.expect("`cp` starts").success(), "there is room");
    set_mode(&tests, 0o755);
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{before} \"$@\""), "sh"])
        .arg(tests)
        .args(["replaced_files::as_a_child", "--exact", "--nocapture"])
        .env("SUPREMUM_CHILD", format!("{work} {}", path.display()))
        .current_dir(folder.0.path())
        .stdin(Stdio::null());
    command
}

/// Returns the lines that it printed itself.
fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let own = |line: &&str| line.contains("failed ") || line.contains("wrote ");
    text.lines().filter(own).map(Into::into).collect()
}

fn is_root(folder: &Folder) -> bool {
    fs::metadata(folder.0.path()).expect("it is there").uid() == 0
}

/// Returns whether processes of another user can be started; says so if not.
fn can_be_nobody(folder: &Folder, why: &str) -> bool {
    let can = is_root(folder)
        && (Command::new("true").uid(NOBODY).gid(NOBODY).status())
            .is_ok_and(|status| status.success());
    if !can {
        println!("SKIPPED: {why}: only root can start processes of another user");
    }
    can
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = Folder::new();
    for (path, result) in write_all(&folder.path("t"), &ours()) {
        result.expect("the folder is ours");
        set_mode(&path, 0o444);
    }
    let contents = || -> Vec<_> {
        let files = folder.names().into_iter();
        files
            .map(|name| fs::read(folder.path(&name)).expect("it is there"))
            .collect()
    };
    let old = contents();
    // Root too, whom the system would let.
    for (path, result) in write_all(&folder.path("t"), &(&ours() * 2.0)) {
        assert!(reason(result).contains("read-only"), "{}", path.display());
        assert_eq!(mode(&path), 0o444);
    }
    assert_eq!(folder.names(), ["t.npy", "t.npz", "t.safetensors"]);
    assert_eq!(contents(), old);
}

#[test]
fn a_file_that_the_user_may_not_write_is_not_replaced() {
    let folder = Folder::new();
    if !can_be_nobody(&folder, "a file of another user") {
        return;
    }
    let path = folder.path("of root");
    fs::create_dir(&path).expect("the folder is ours");
    // Anybody can rename files in it, also over those of others.
    set_mode(&path, 0o777);
    for (path, result) in write_all(&path.join("t"), &ours()) {
        result.expect("the folder is ours");
        set_mode(&path, 0o644);
    }
    let mut child = child(&folder, "write", &path.join("t"), "exec");
    let output = child.uid(NOBODY).gid(NOBODY).output().expect("it runs");
    let lines = lines(&output);
    assert_eq!(lines.len(), 3, "{output:?}");
    for line in &lines {
        assert!(line.contains("failed") && line.contains("denied"), "{line}");
    }
    assert_eq!(fs::read_dir(path).expect("it is there").count(), 3);
}

#[test]
fn in_a_folder_that_is_not_writable_a_file_stays_as_it_was() {
    let folder = Folder::new();
    let closed = folder.path("closed");
    fs::create_dir(&closed).expect("the folder is ours");
    for (path, result) in write_all(&closed.join("t"), &ours()) {
        result.expect("the folder is ours");
        set_mode(&path, 0o666);
    }
    set_mode(&closed, 0o555);
    let old = fs::read(closed.join("t.npy")).expect("it was written");
    let mut child = child(&folder, "write", &closed.join("t"), "exec");
    if is_root(&folder) {
        if !can_be_nobody(&folder, "a folder that is not writable") {
            return;
        }
        child.uid(NOBODY).gid(NOBODY);
    }
    let output = child.output().expect("it runs");
    let lines = lines(&output);
    assert_eq!(lines.len(), 3, "{output:?}");
    for line in &lines {
        assert!(line.contains("failed"), "{line}");
        assert!(line.contains("temporary file"), "{line}");
        assert!(line.contains("closed"), "{line}");
    }
    assert_eq!(fs::read(closed.join("t.npy")).expect("it is there"), old);
    set_mode(&closed, 0o755);
}

#[test]
fn a_dangling_link_is_followed() -> Result<(), Error> {
    let folder = Folder::new();
    fs::create_dir(folder.path("models")).expect("the folder is ours");
    // Relative to where the link is, through a second one, and absolute.
    symlink("models/first", folder.path("link")).expect("the folder is ours");
    symlink("second", folder.path("models/first")).expect("the folder is ours");
    symlink(folder.path("models/absolute"), folder.path("models/second"))
        .expect("the folder is ours");
    ours().write_npy(folder.path("link"))?;
    for link in ["link", "models/first", "models/second"] {
        assert!(folder.path(link).is_symlink(), "{link}");
    }
    let written = folder.path("models/absolute");
    assert!(!written.is_symlink());
    assert_eq!(Tensor::<F32, Rank1>::read_npy(&written)?, ours());
    // And once more, as it leads somewhere now.
    (&ours() * 2.0).write_npy(folder.path("link"))?;
    assert_eq!(
        Tensor::<F32, Rank1>::read_npy(&written)?.to_vec(),
        [2.0, 4.0]
    );

    symlink("nowhere/t", folder.path("lost")).expect("the folder is ours");
    symlink("b", folder.path("a")).expect("the folder is ours");
    symlink("a", folder.path("b")).expect("the folder is ours");
    for link in ["lost", "a"] {
        reason(ours().write_npy(folder.path(link)));
        assert!(folder.path(link).is_symlink(), "{link}");
    }
    assert_eq!(folder.names(), ["a", "b", "link", "lost", "models"]);
    Ok(())
}

#[test]
fn permissions_stay_and_hard_links_part() -> Result<(), Error> {
    let folder = Folder::new();
    let (path, link) = (folder.path("t.npy"), folder.path("link.npy"));
    ours().write_npy(&path)?;
    for expected in [0o600, 0o640, 0o664, 0o646] {
        set_mode(&path, expected);
        ours().write_npy(&path)?;
        assert_eq!(mode(&path), expected);
    }
    fs::hard_link(&path, &link).expect("the folder is ours");
    (&ours() * 2.0).write_npy(&path)?;
    let read = |path| Tensor::<F32, Rank1>::read_npy(path).map(|t| t.to_vec());
    assert_eq!(
        (read(&path)?, read(&link)?),
        (vec![2.0, 4.0], vec![1.0, 2.0])
    );
    assert_eq!(fs::metadata(&path).expect("it is there").nlink(), 1);
    Ok(())
}

#[test]
fn owner_and_group_stay_if_the_user_may_give_files_away() -> Result<(), Error> {
    let folder = Folder::new();
    if !can_be_nobody(&folder, "files of several owners") {
        return Ok(());
    }
    let path = folder.path("t.npy");
    ours().write_npy(&path)?;
    set_mode(&path, 0o640);
    std::os::unix::fs::chown(&path, Some(NOBODY), Some(1)).expect("root may");
    ours().write_npy(&path)?;
    let metadata = fs::metadata(&path).expect("it is there");
    assert_eq!(
        (metadata.uid(), metadata.gid(), mode(&path)),
        (NOBODY, 1, 0o640)
    );
    // Nobody may not. What the old group could do, the new one can only if everybody could.
    let shared = folder.path("shared");
    fs::create_dir(&shared).expect("the folder is ours");
    set_mode(&shared, 0o777);
    for (path, result) in write_all(&shared.join("t"), &ours()) {
        result?;
        set_mode(&path, 0o672);
    }
    let mut child = child(&folder, "write", &shared.join("t"), "exec");
    let output = child.uid(NOBODY).gid(NOBODY).output().expect("it runs");
    assert_eq!(lines(&output).len(), 3, "{output:?}");
    for extension in ["npy", "npz", "safetensors"] {
        let path = shared.join("t").with_extension(extension);
        let metadata = fs::metadata(&path).expect("it is there");
        assert_eq!(
            (metadata.uid(), metadata.gid()),
            (NOBODY, NOBODY),
            "{output:?}"
        );
        assert_eq!(mode(&path), 0o622);
    }
    Ok(())
}

/// A limit on the size of files stands in for a full disk.
#[test]
fn where_a_disk_is_full_the_old_file_stays_and_nothing_is_printed() -> Result<(), Error> {
    let folder = Folder::new();
    for (_, result) in write_all(&folder.path("t"), &ours()) {
        result?;
    }
    let mut before = folder.names();
    before.push("tests".into());
    before.sort();
    let old = fs::read(folder.path("t.npz")).expect("it was written");
    let limit = "trap '' XFSZ; ulimit -f 100; exec";
    let mut command = child(&folder, "write-large", &folder.path("t"), limit);
    let output = command.output().expect("it runs");
    assert_eq!(lines(&output).len(), 3, "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(fs::read(folder.path("t.npz")).expect("it is there"), old);
    assert_eq!(folder.names(), before);
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_device_nothing_is_printed() {
    let folder = Folder::new();
    let device = Path::new("/dev/full");
    if !device.exists() {
        println!("SKIPPED: there is no /dev/full");
        return;
    }
    let output = child(&folder, "write-device", device, "exec").output();
    let output = output.expect("it runs");
    assert_eq!(lines(&output).len(), 2, "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// A link to what has no path.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_written_as_it_is() {
    let folder = Folder::new();
    let output = child(&folder, "write-pipe", Path::new("/dev/stdout"), "exec").output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let npy = folder.path("t.npy");
    ours().write_npy(&npy).expect("the folder is ours");
    let bytes = fs::read(&npy).expect("it was written");
    assert!(output.stdout.windows(bytes.len()).any(|part| part == bytes));
    // An archive is not written in one go, and says so; nothing is made beside the pipe.
    assert!(String::from_utf8_lossy(&output.stdout).contains("failed "));
    assert_eq!(folder.names(), ["t.npy", "tests"]);
}

/// A file limit whose signal ends the process is a writer that is killed half-way.
#[test]
fn a_killed_writer_leaves_the_old_file_and_a_temporary_one_that_can_be_recognised()
-> Result<(), Error> {
    let folder = Folder::new();
    ours().write_npy(folder.path("t.npy"))?;
    let limit = "ulimit -c 0; ulimit -f 100; exec";
    let mut command = child(&folder, "write-large", &folder.path("t"), limit);
    let output = command.output().expect("it runs");
    assert!(!output.status.success(), "{output:?}");
    let names = folder.names();
    assert_eq!(names[1..], ["t.npy", "tests"]);
    assert!(
        names[0].starts_with(".supremum-") && names[0].ends_with(".tmp"),
        "{names:?}"
    );
    assert_eq!(
        Tensor::<F32, Rank1>::read_npy(folder.path("t.npy"))?,
        ours()
    );
    Ok(())
}

/// While it is written, a file that others may not read is not readable under its temporary name either.
#[test]
fn a_file_is_on_the_disk_before_it_takes_its_name() {
    let folder = Folder::new();
    ours()
        .write_npy(folder.path("t.npy"))
        .expect("the folder is ours");
    set_mode(&folder.path("t.npy"), 0o600);
    let probe = Command::new("strace")
        .args(["-o", "probe", "true"])
        .current_dir(folder.0.path())
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        println!("SKIPPED: system calls are looked at by strace, which is not here or may not");
        return;
    }
    let traced =
        "exec strace -f -y -s 500 -e trace=openat,fsync,rename,renameat,renameat2 -o calls";
    let output = child(&folder, "write", &folder.path("t"), traced)
        .output()
        .expect("it runs");
    assert_eq!(lines(&output).len(), 3, "{output:?}");
    let calls = fs::read_to_string(folder.path("calls")).expect("strace wrote it");
    let calls: Vec<&str> = calls
        .lines()
        .filter(|line| !line.contains("ENOENT"))
        .collect();
    for name in ["t.npy", "t.npz", "t.safetensors"] {
        let renamed = |line: &&str| line.contains("rename") && line.contains(&format!("/{name}\""));
        let at = calls.iter().position(renamed).expect("it was renamed");
        let temporary = calls[at].split('"').nth(1).expect("the old name");
        let temporary = temporary.rsplit('/').next().expect("a name");
        let before = |line: &&str| line.contains("fsync(") && line.contains(temporary);
        assert!(calls[..at].iter().any(before), "{name}: {calls:#?}");
        let made = |line: &&&str| line.contains("openat(") && line.contains(temporary);
        let made = calls.iter().find(made).expect("it was made");
        let allowed = if name == "t.npy" { "0600)" } else { "0666)" };
        assert!(made.contains(allowed), "{made}");
        let folder = folder.0.path().display().to_string();
        let after = |line: &&str| line.contains("fsync(") && line.contains(&format!("<{folder}>"));
        assert!(calls[at..].iter().take(3).any(after), "{name}: {calls:#?}");
    }
}
