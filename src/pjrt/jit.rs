//! [`Jit`]: a function that is compiled for each combination of shapes when it is called.

use core::fmt;
use core::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::arguments::{Argument, ArgumentList, ArgumentTypes, TensorTree};
use super::client::Client;
use super::function::Function;
use crate::array::Dims;
use crate::dtype::DType;
use crate::error::Error;
use crate::stablehlo::{Outputs, Signature, trace_tensors};

/// The number of compiled functions that a [`Jit`] keeps by default.
const CAPACITY: usize = 64;

/// A function of tensors that is traced and compiled when it is called: once for each combination of shapes, and of dtypes,
/// weakness and rules where these are known at run time only. Made by [`Client::jit`].
///
/// It keeps the compiled functions that were called last, 64 unless [`Self::with_capacity`] says otherwise. It can be called from
/// several threads at once; those that ask for the same shapes wait for one compilation.
///
/// ```no_run
/// # use supremum::pjrt::Client;
/// # supremum::prelude!();
/// # // SAFETY: the environment names a plugin that can be trusted.
/// # let client = unsafe { Client::from_env()? };
/// let squares = client.jit(|x: Tensor<F32, Rank1>| (&x * &x).sum());
/// for size in [3, 4, 3] {
///     let total: Tensor<F32, Rank0> = squares.call(&Tensor::ones([size]))?;
///     println!("{total}");
/// }
/// assert_eq!((squares.statistics().compiled, squares.statistics().reused), (2, 1));
/// # Ok::<(), Error>(())
/// ```
pub struct Jit<I, O: Outputs, F> {
    client: Client,
    function: F,
    capacity: usize,
    cache: Mutex<Cache<I, O::Tensors>>,
    types: PhantomData<fn(I) -> O>,
}

/// The number of functions that a [`Jit`] has compiled and reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JitStatistics {
    /// The calls for which a function was traced and compiled.
    pub compiled: u64,
    /// The calls for which there was one.
    pub reused: u64,
    /// The functions that were dropped to keep within the capacity.
    pub dropped: u64,
    /// The functions that are kept.
    pub kept: usize,
}

/// Compiled functions, those that were called last at the end.
struct Cache<I, O> {
    entries: Vec<Entry<I, O>>,
    statistics: JitStatistics,
}

struct Entry<I, O> {
    key: Key,
    slot: Arc<Slot<I, O>>,
}

/// The place of a function, which is empty until it is compiled. It is locked meanwhile.
type Slot<I, O> = Mutex<Option<Function<I, O>>>;

/// The facts on which a trace depends.
#[derive(Clone, PartialEq)]
struct Key {
    types: Vec<(DType, Dims)>,
    signature: Signature,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic of the traced function leaves everything in order: its slot is empty.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<I: TensorTree, O: Outputs<Tensors: TensorTree>, F: Fn(I) -> O> Jit<I, O, F> {
    /// Calls the function as [`Function::call`] does; compiles it first if these shapes are new.
    ///
    /// # Errors
    /// The errors of the function, of [`trace`](crate::stablehlo::trace), of [`Client::compile`] and of
    /// [`Function::call`]. After an
    /// error nothing is kept for these shapes.
    ///
    /// # Panics
    /// If the function does.
    pub fn call(&self, arguments: I::Refs<'_>) -> Result<O::Tensors, Error> {
        let mut list = ArgumentList::default();
        I::collect(arguments, &mut list);
        self.compiled(&list)?.call_list(list)
    }

    /// Starts the function as [`Function::run`] does; compiles it first if these shapes are new.
    ///
    /// # Errors
    /// The errors of [`Self::call`] and [`Function::run`].
    ///
    /// # Panics
    /// If the function does.
    pub fn run(
        &self,
        arguments: impl Argument<I>,
    ) -> Result<<O::Tensors as TensorTree>::OnDevice, Error> {
        let mut list = ArgumentList::default();
        arguments.collect(&mut list);
        self.compiled(&list)?.run_list(list)
    }

    /// The function for arguments of these types.
    fn compiled(&self, list: &ArgumentList<'_>) -> Result<Function<I, O::Tensors>, Error> {
        let types = list.types().map(|given| {
            let (dtype, shape) = given?;
            Ok((dtype, Dims::new(shape)?))
        });
        let key = Key {
            types: types.collect::<Result<_, Error>>()?,
            signature: list.signature.clone(),
        };
        let slot = self.slot(&key);
        let mut function = locked(&slot);
        if let Some(function) = &*function {
            locked(&self.cache).statistics.reused += 1;
            return Ok(function.clone());
        }
        let compiled = self.compile(&key);
        let mut cache = locked(&self.cache);
        match &compiled {
            Ok(compiled) => {
                cache.statistics.compiled += 1;
                *function = Some(compiled.clone());
            }
            Err(_) => cache.entries.retain(|entry| entry.key != key),
        }
        compiled
    }

    /// The slot of a key, which it makes the last one. A new one may displace the first.
    fn slot(&self, key: &Key) -> Arc<Slot<I, O::Tensors>> {
        let mut cache = locked(&self.cache);
        let entries = &mut cache.entries;
        if let Some(found) = entries.iter().rposition(|entry| entry.key == *key) {
            entries[found..].rotate_left(1);
            return Arc::clone(&entries[entries.len() - 1].slot);
        }
        let slot = Arc::default();
        if entries.len() >= self.capacity {
            entries.remove(0);
            cache.statistics.dropped += 1;
        }
        cache.entries.push(Entry {
            key: key.clone(),
            slot: Arc::clone(&slot),
        });
        slot
    }

    fn compile(&self, key: &Key) -> Result<Function<I, O::Tensors>, Error> {
        let types: Vec<(DType, &[usize])> = key
            .types
            .iter()
            .map(|(dtype, shape)| (*dtype, &shape[..]))
            .collect();
        let mut types = ArgumentTypes {
            types: types.into_iter(),
            tensors: key.signature.tensors.iter(),
            lengths: key.signature.lengths.iter(),
        };
        let program = trace_tensors(|to| I::traced(&mut types, to), &self.function)?;
        self.client.compile(&program)
    }
}

impl<I: TensorTree, O: Outputs, F: Fn(I) -> O> Jit<I, O, F> {
    pub(super) fn new(client: &Client, function: F) -> Self {
        Self {
            client: client.clone(),
            function,
            capacity: CAPACITY,
            cache: Mutex::new(Cache {
                entries: Vec::new(),
                statistics: JitStatistics::default(),
            }),
            types: PhantomData,
        }
    }

    /// Sets how many compiled functions are kept, at least one.
    #[must_use]
    pub fn with_capacity(self, capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            ..self
        }
    }

    /// Counts compilations and reuses so far.
    pub fn statistics(&self) -> JitStatistics {
        let cache = locked(&self.cache);
        JitStatistics {
            kept: cache.entries.len(),
            ..cache.statistics
        }
    }
}

impl<I, O: Outputs, F> fmt::Debug for Jit<I, O, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cache = locked(&self.cache);
        f.debug_struct("Jit")
            .field("statistics", &cache.statistics)
            .field("kept", &cache.entries.len())
            .finish_non_exhaustive()
    }
}
