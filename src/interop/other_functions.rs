//! Functions of NumPy and PyTorch that are methods or functions of a type here. A call does not compile, and the compiler's message has
//! the name. Without them rustc says that there is no such function, or proposes a similar name: `stack` for `vstack`.

/// A trait for a message, which nothing implements, and the functions that are bounded by it.
// The bound is of any tokens, so that rustc quotes the call.
macro_rules! other_functions {
    ([$($Trait:tt)+] $($name:ident ($($argument:ident)*))+; $message:literal $note:literal) => {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = "a name of other libraries", note = $note)]
        pub trait $($Trait)+ {}

        other_functions!(@each [$($Trait)+] $($name ($($argument)*))+);
    };
    (@each $Trait:tt $($name:ident $arguments:tt)+) => {
        $(other_functions!(@one $Trait $name $arguments);)+
    };
    (@one [$($Trait:tt)+] $name:ident ($($argument:ident)*)) => {
        #[doc(hidden)]
        pub fn $name<Out, $($argument),*>($(_: $argument),*) -> Out
        where
            for<'a> (): $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
}

other_functions! {
    [MadeByType] zeros(A) ones(A) full(A B) eye(A) arange(A B C) linspace(A B C) from_vec(A B);
    "a tensor is made by a function of its type, e.g. `Tensor::<F32, Rank2>::zeros([2, 3])`"
    "the others are written the same way: `ones`, `full`, `eye`, `arange`, `linspace`, `from_vec`; a tensor of literals is `tensor![[1.0, 2.0], [3.0, 4.0]]`"
}
other_functions! {
    [ReadByType] read_npy(A) load(A);
    "a file is read by a function of a type, e.g. `Tensor::<F32, Rank2>::read_npy(path)?`"
    "of any dtype and rank it is `DynTensor::read_npy(path, Jax)?`; files of several tensors are `supremum::NpzFile::read(path)?` and `supremum::SafeTensorsFile::read(path)?`; a format needs its feature: `npy`, `npz` or `safetensors`"
}
other_functions! {
    [WrittenByMethod] write_npy(A B) save(A B);
    "a tensor is written to a file by a method, `t.write_npy(path)?`"
    "several tensors are written by `supremum::SafeTensorsFile::write(path, &[(\"weights\", &weights)])?` or `supremum::NpzFile::write(..)?` with the same arguments; a format needs its feature: `npy`, `npz` or `safetensors`"
}
other_functions! {
    [JoinedByFunction] vstack(A) hstack(A) concatenate(A B) cat(A B);
    "tensors are joined by the functions `concat([&a, &b], axis)` and `stack([&a, &b], axis)`"
    "those of a `Vec` are `concat(&tensors, axis)`; two of different dtypes are joined by `a.concat(&b, axis)`"
}
