use super::*;

fn zeroed(len: usize) -> Buffer {
    Buffer::zeroed(len).expect("there is memory")
}

fn copied(bytes: &[u8]) -> Buffer {
    Buffer::copied(bytes).expect("there is memory")
}

#[test]
fn sharing_counts_owners() {
    let mut first = copied(&[1, 2, 3]);
    assert!(first.is_unique());
    let second = first.clone();
    assert!(!first.is_unique() && first.unique_mut_ptr().is_none());
    assert_eq!(first.as_ptr(), second.as_ptr());
    drop(second);
    assert!(first.unique_mut_ptr().is_some());
    assert_eq!(first.len(), 3);
    assert_eq!(first.as_ptr().addr() % 16, 0);
}

#[test]
fn foreign_memory_is_shared_until_its_last_owner_drops_and_never_written() {
    struct Bytes(
        Vec<u8>,
        #[expect(dead_code, reason = "it counts who lives")] std::sync::Arc<()>,
    );
    impl AsRef<[u8]> for Bytes {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    let lives = std::sync::Arc::new(());
    let bytes = vec![1, 2, 3];
    let place = bytes.as_ptr();
    let mut first = Buffer::external(Box::new(Bytes(bytes, lives.clone())));
    assert_eq!((first.as_ptr(), first.as_bytes()), (place, &[1, 2, 3][..]));
    assert!(!first.is_unique() && first.unique_mut_ptr().is_none());
    let second = first.clone();
    drop(first);
    assert_eq!(second.as_bytes(), [1, 2, 3]);
    assert_eq!(std::sync::Arc::strong_count(&lives), 2);
    std::thread::spawn(|| drop(second))
        .join()
        .expect("another thread drops it");
    assert_eq!(std::sync::Arc::strong_count(&lives), 1);
    assert_eq!(Buffer::external(Box::new([0_u8; 0])).len(), 0);
}

#[test]
fn a_buffer_may_be_empty() {
    assert_eq!(zeroed(0).len(), 0);
}

#[test]
fn all_but_the_smallest_begin_a_cache_line() {
    for len in [
        SMALL_BYTES + 1,
        1000,
        LARGEST_UNPOOLED,
        LARGEST_UNPOOLED + 1,
        1 << 16,
        (1 << 20) + 1,
    ] {
        let buffers = [(); 5].map(|()| zeroed(len));
        let on_a_line = |buffer: &Buffer| buffer.as_ptr().addr().is_multiple_of(LINE);
        assert!(buffers.iter().all(on_a_line), "{len} bytes");
    }
}

#[test]
fn zeroed_buffers_of_used_memory_are_zero() {
    let len = (3 << 16) + 1;
    for _ in 0..3 {
        let buffer = zeroed(len);
        // SAFETY: that many bytes are initialised.
        let bytes = unsafe { core::slice::from_raw_parts(buffer.as_ptr(), len) };
        assert!(bytes.iter().all(|byte| *byte == 0));
        drop(buffer);
        drop(copied(&vec![7; len]));
    }
}

/// The process ends: another one, which runs this test too.
#[cfg(debug_assertions)]
#[test]
fn a_write_behind_a_buffer_is_found() {
    const LEN: &str = "SUPREMUM_TEST_WRITES_BEHIND";
    if let Ok(len) = std::env::var(LEN) {
        let buffer = zeroed(len.parse().expect("a number"));
        // SAFETY: guard bytes are part of the allocation, and nobody else knows it.
        unsafe { buffer.guard().add(GUARD - 1).write(!GUARD_BYTE) };
        return;
    }
    let name = concat!(module_path!(), "::a_write_behind_a_buffer_is_found");
    let (_, name) = name.split_once("::").expect("a path within the crate");
    for len in [1, SMALL_BYTES, SMALL_BYTES + 1, LARGEST_UNPOOLED + 1] {
        let program = std::env::current_exe().expect("the program of this test");
        let mut child = std::process::Command::new(program);
        let child = child.args(["--exact", name, "--nocapture"]);
        let output = child.env(LEN, len.to_string()).output();
        let output = output.expect("it runs once more");
        let text = String::from_utf8_lossy(&output.stderr);
        let found = format!("byte {} after a buffer of {len} bytes", GUARD - 1);
        assert!(!output.status.success() && text.contains(&found), "{text}");
    }
}

#[test]
fn what_cannot_be_addressed_is_out_of_memory() {
    for len in [usize::MAX, isize::MAX.cast_unsigned(), usize::MAX / 4] {
        assert!(Uninit::new(len).is_err() && Buffer::zeroed(len).is_err());
    }
}
