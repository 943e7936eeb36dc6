//! The caches of the processor.

/// A cache that holds data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cache {
    /// Its size, in bytes.
    pub(crate) bytes: usize,
    /// The number of logical processors that share it, at most.
    pub(crate) shared_by: usize,
}

/// Returns the processor's last-level cache. `None` on processors that do not tell: others than x86-64, or under a
/// hypervisor that hides it.
pub(crate) fn last_level() -> Option<Cache> {
    #[cfg(target_arch = "x86_64")]
    return x86::last_level();
    #[cfg(not(target_arch = "x86_64"))]
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__cpuid, __cpuid_count, CpuidResult};

    use super::Cache;

    /// The leaves of `cpuid` in which Intel's processors and AMD's describe their caches, in the same form.
    const LEAVES: [u32; 2] = [4, 0x8000_001D];

    pub(super) fn last_level() -> Option<Cache> {
        LEAVES.into_iter().find_map(|leaf| {
            let range = leaf & 0x8000_0000;
            let max_leaf = __cpuid(range).eax;
            // The leaves that AMD's processors do not have are zero. Each cache has a sub-leaf; a fifth level would be
            // new.
            let sub_leaves = (0..8).map(|number| __cpuid_count(leaf, number));
            let described = if leaf <= max_leaf { 8 } else { 0 };
            last_of(sub_leaves.take(described))
        })
    }

    /// Returns the cache of the highest level among the descriptions up to the first empty one.
    fn last_of(descriptions: impl Iterator<Item = CpuidResult>) -> Option<Cache> {
        const INSTRUCTIONS: u32 = 2;
        let kind = |description: &CpuidResult| description.eax & 0x1F;
        let level = |description: &CpuidResult| description.eax >> 5 & 7;
        let data = descriptions
            .take_while(|description| kind(description) != 0)
            .filter(|description| kind(description) != INSTRUCTIONS);
        let last = data.max_by_key(level)?;
        // Each number is one less than it counts.
        let count = |number: u32| usize::try_from(number).map_or(1, |number| number + 1);
        let (line, partitions, ways, sets) = (
            count(last.ebx & 0xFFF),
            count(last.ebx >> 12 & 0x3FF),
            count(last.ebx >> 22 & 0x3FF),
            count(last.ecx),
        );
        Some(Cache {
            bytes: line * partitions * ways * sets,
            shared_by: count(last.eax >> 14 & 0xFFF),
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn described(kind: u32, level: u32, shared_by: u32, [ways, sets]: [u32; 2]) -> CpuidResult {
            CpuidResult {
                eax: kind | level << 5 | (shared_by - 1) << 14,
                ebx: 63 | (ways - 1) << 22,
                ecx: sets - 1,
                edx: 0,
            }
        }

        #[test]
        fn the_last_level_is_found() {
            // The answers of an Intel Xeon with 105 MiB of cache for 96 logical processors.
            let none = CpuidResult {
                eax: 0,
                ebx: 0,
                ecx: 0,
                edx: 0,
            };
            let all = [
                described(1, 1, 2, [12, 64]),
                described(2, 1, 2, [8, 64]),
                described(3, 2, 2, [16, 2_048]),
                described(3, 3, 128, [15, 114_688]),
                none,
                described(3, 4, 1, [1, 1]),
            ];
            let cache = |bytes, shared_by| Some(Cache { bytes, shared_by });
            assert_eq!(last_of(all.into_iter()), cache(105 << 20, 128));
            assert_eq!(last_of(all[..3].iter().copied()), cache(2 << 20, 2));
            assert_eq!(last_of(all[..2].iter().copied()), cache(48 << 10, 2));
            assert_eq!(last_of([none].into_iter()), None);
        }

        /// Beside the operating system's answer, where it has one.
        #[test]
        fn the_processor_and_the_system_agree() {
            let read = |index: usize, name: &str| {
                let file = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
                std::fs::read_to_string(file).ok()
            };
            let sizes = (0..8).filter_map(|index| {
                let level: u32 = read(index, "level")?.trim().parse().ok()?;
                let size = read(index, "size")?;
                let kib: usize = size.trim().strip_suffix('K')?.parse().ok()?;
                Some((level, kib << 10))
            });
            if let (Some((_, expected)), Some(found)) = (sizes.max(), last_level()) {
                assert_eq!(found.bytes, expected);
                assert!(found.shared_by > 0);
            }
        }
    }
}
