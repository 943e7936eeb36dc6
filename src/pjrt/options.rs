//! [`CompileOptions`], and how plugins read them: as XLA's `CompileOptionsProto`.

use std::collections::BTreeMap;

/// Options by which a program is compiled.
///
/// XLA may keep more precision than a program states, and its CPU backend may lose NaN in minima and maxima. The flags against
/// that are set: `xla_allow_excess_precision=false`, and on CPUs `xla_cpu_enable_fast_min_max=false`. With other values results
/// differ from Supremum's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompileOptions {
    flags: BTreeMap<String, Flag>,
    pub(super) device: usize,
}

/// The value of a flag.
#[derive(Clone, Debug, PartialEq)]
enum Flag {
    Bool(bool),
    Integer(i64),
    Text(String),
}

impl CompileOptions {
    /// The default: the first device, and the flags that keep results equal to Supremum's.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs the program on another device of the client than the first. A sharded program runs on the first devices always.
    #[must_use]
    pub fn device(self, device: usize) -> Self {
        Self { device, ..self }
    }

    /// Sets a flag of XLA for this program, named as in `XLA_FLAGS` without dashes. Plugins refuse flags that they do not know.
    #[must_use]
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.with_flag(name, Flag::Bool(value))
    }

    /// Sets a flag that is an integer; see [`Self::flag`].
    #[must_use]
    pub fn integer_flag(self, name: &str, value: i64) -> Self {
        self.with_flag(name, Flag::Integer(value))
    }

    /// Sets a flag that is a text; see [`Self::flag`].
    #[must_use]
    pub fn text_flag(self, name: &str, value: &str) -> Self {
        self.with_flag(name, Flag::Text(value.into()))
    }

    fn with_flag(mut self, name: &str, value: Flag) -> Self {
        self.flags.insert(name.into(), value);
        self
    }

    /// Encodes the options for a number of devices, or for the one device with an id. The numbers of fields are those of
    /// `xla/pjrt/proto/compile_options.proto` and `xla/xla_data.proto`.
    pub(super) fn encoded(&self, platform: &str, partitions: usize, id: i64) -> Vec<u8> {
        let mut build = Vec::new();
        number(&mut build, 1, -1); // device_ordinal: none
        number(&mut build, 4, 1); // num_replicas
        number(&mut build, 5, i64::try_from(partitions).unwrap_or(i64::MAX)); // num_partitions
        if partitions > 1 {
            number(&mut build, 6, 1); // use_spmd_partitioning
            number(&mut build, 19, 1); // use_shardy_partitioner
        } else {
            let mut computation = Vec::new();
            number(&mut computation, 1, id); // replica_device_ids
            let mut assignment = Vec::new();
            number(&mut assignment, 1, 1); // replica_count
            number(&mut assignment, 2, 1); // computation_count
            bytes(&mut assignment, 3, &computation); // computation_devices
            bytes(&mut build, 9, &assignment); // device_assignment
        }
        let mut options = Vec::new();
        bytes(&mut options, 3, &build); // executable_build_options
        let mut flags = BTreeMap::from([("xla_allow_excess_precision", Flag::Bool(false))]);
        if platform == "cpu" {
            flags.insert("xla_cpu_enable_fast_min_max", Flag::Bool(false));
        }
        let own = self.flags.iter();
        flags.extend(own.map(|(name, value)| (name.as_str(), value.clone())));
        for (name, value) in &flags {
            let mut entry = Vec::new();
            bytes(&mut entry, 1, name.as_bytes()); // key
            bytes(&mut entry, 2, &value.encoded()); // value
            bytes(&mut options, 7, &entry); // env_option_overrides
        }
        options
    }
}

impl Flag {
    /// Encodes an `OptionOverrideProto`.
    fn encoded(&self) -> Vec<u8> {
        let mut to = Vec::new();
        match self {
            Self::Text(text) => bytes(&mut to, 1, text.as_bytes()),
            Self::Bool(value) => number(&mut to, 2, i64::from(*value)),
            Self::Integer(value) => number(&mut to, 3, *value),
        }
        to
    }
}

/// Appends an integer in the encoding of protocol buffers: seven bits at a time, the lowest first.
fn varint(to: &mut Vec<u8>, mut value: u64) {
    loop {
        let low = u8::try_from(value & 0x7F).unwrap_or(0);
        value >>= 7;
        if value == 0 {
            return to.push(low);
        }
        to.push(low | 0x80);
    }
}

/// Appends a field that is an integer.
fn number(to: &mut Vec<u8>, field: u64, value: i64) {
    varint(to, field << 3);
    varint(to, value.cast_unsigned());
}

/// Appends a field that is a text or a message.
fn bytes(to: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(to, (field << 3) | 2);
    varint(to, u64::try_from(value.len()).unwrap_or(u64::MAX));
    to.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_encoded_as_protocol_buffers_do() {
        let encoded = |value| {
            let mut to = Vec::new();
            varint(&mut to, value);
            to
        };
        assert_eq!(encoded(0), [0]);
        assert_eq!(encoded(127), [0x7F]);
        assert_eq!(encoded(150), [0x96, 0x01]); // the example of the format's documentation
        assert_eq!(encoded(u64::MAX).len(), 10);
        let mut field = Vec::new();
        bytes(&mut field, 2, b"testing"); // another one
        assert_eq!(field, b"\x12\x07testing");
    }

    #[test]
    fn flags_of_the_user_replace_the_default_ones() {
        let contains = |options: &CompileOptions, text: &[u8]| {
            let encoded = options.encoded("cpu", 1, 0);
            encoded.windows(text.len()).any(|window| window == text)
        };
        let set = |value: u8| {
            [
                &b"\x0A\x1Axla_allow_excess_precision\x12\x02\x10"[..],
                &[value],
            ]
            .concat()
        };
        let options = CompileOptions::new();
        assert!(contains(&options, &set(0)));
        let options = options.flag("xla_allow_excess_precision", true);
        assert!(contains(&options, &set(1)) && !contains(&options, &set(0)));
        assert!(contains(&options, b"xla_cpu_enable_fast_min_max"));
        assert!(
            !options
                .encoded("cuda", 1, 0)
                .windows(7)
                .any(|window| window == b"xla_cpu")
        );
    }
}
