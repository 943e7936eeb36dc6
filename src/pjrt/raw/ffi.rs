//! The part of PJRT's C API that is used: names, order, types and sizes of `pjrt_c_api.h` of OpenXLA, "Copyright 2022 The
//! OpenXLA Authors", Apache Licence 2.0. Made from the header of API 0.81 with bindgen and then reduced by hand.
//!
//! Every function takes a pointer to one struct and returns an error or null. Structs grow at their ends only: each begins
//! with its size, so that plugin and caller may know different versions. The sizes here are those of API 0.81, without the
//! padding at the end, as plugins compare them. The compiler checks them below.
#![allow(
    non_camel_case_types,
    reason = "the names of the header, without `PJRT_`"
)]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "the header documents these; they are not visible outside of `raw`"
)]

use core::ffi::{c_char, c_int, c_uint, c_void};

pub enum Error {}
pub enum Event {}
pub enum Client {}
pub enum Device {}
pub enum DeviceDescription {}
pub enum Memory {}
pub enum Executable {}
pub enum LoadedExecutable {}
pub enum SerializedExecutable {}
pub enum Buffer {}
pub enum ExecuteContext {}
pub enum SendCallbackInfo {}
pub enum RecvCallbackInfo {}

pub type OnReadyCallback = unsafe extern "C" fn(error: *mut Error, user_arg: *mut c_void);
pub type ValueDeleter = unsafe extern "C" fn(value: *mut c_char);
pub type ExecutableDeleter = unsafe extern "C" fn(executable: *mut SerializedExecutable);
pub type CallbackError =
    unsafe extern "C" fn(code: c_uint, message: *const c_char, message_size: usize) -> *mut Error;
pub type KeyValueGetCallback =
    unsafe extern "C" fn(args: *mut KeyValueGetCallback_Args) -> *mut Error;
pub type KeyValueTryGetCallback =
    unsafe extern "C" fn(args: *mut KeyValueTryGetCallback_Args) -> *mut Error;
pub type KeyValuePutCallback =
    unsafe extern "C" fn(args: *mut KeyValuePutCallback_Args) -> *mut Error;

#[repr(C)]
pub struct ApiVersion {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub major_version: c_int,
    pub minor_version: c_int,
}

/// The start of the table of functions, which is the same in every version. Pointers to functions follow, at the slots
/// of [`Call`].
#[repr(C)]
pub struct Api {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub version: ApiVersion,
}

const _: () = assert!(size_of::<Api>() == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub union Value {
    pub string: *const c_char,
    pub int64: i64,
    pub int64s: *const i64,
    pub float: f32,
    pub bool: bool,
}

#[repr(C)]
pub struct NamedValue {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub name: *const c_char,
    pub name_size: usize,
    pub kind: c_uint,
    pub value: Value,
    pub value_size: usize,
}

const _: () = assert!(size_of::<NamedValue>() == 56);

/// The kinds of a [`NamedValue`].
pub const STRING: c_uint = 0;
pub const INT64: c_uint = 1;
pub const INT64_LIST: c_uint = 2;
pub const FLOAT: c_uint = 3;
pub const BOOL: c_uint = 4;

/// The time for which a plugin may use host memory that it is given.
pub const IMMUTABLE_ONLY_DURING_CALL: c_uint = 0;
pub const IMMUTABLE_ZERO_COPY: c_uint = 2;
pub const MUTABLE_ZERO_COPY: c_uint = 3;

/// A function of the table that can fail, by the struct of its arguments.
///
/// # Safety
/// `SLOT` is the function's position in the table. The function takes a pointer to `Self`, reads and writes at most the
/// first `struct_size` bytes of it, and returns an error or null.
pub unsafe trait Call: Default {
    const NAME: &'static str;
    const SLOT: usize;
}

macro_rules! structs {
    ($($name:ident($size:literal) { $($field:ident: $type:ty),* $(,)? };)*) => {$(
        #[repr(C)]
        pub struct $name {
            pub struct_size: usize,
            pub extension_start: *mut c_void,
            $(pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: the fields are integers, booleans, raw pointers and optional functions; all of them have a value
                // whose bytes are zero.
                let zero: Self = unsafe { core::mem::zeroed() };
                Self { struct_size: $size, ..zero }
            }
        }

        const _: () = assert!($size <= size_of::<$name>() && size_of::<$name>() - $size < 8);
    )*};
}

macro_rules! calls {
    ($($slot:literal $name:ident($size:literal) { $($field:ident: $type:ty),* $(,)? };)*) => {$(
        structs! { $name($size) { $($field: $type),* }; }

        // SAFETY: slot, fields and size are those of the header for `PJRT_..` of this name, and have not changed since API
        // 0.81 except that structs have grown at their ends.
        unsafe impl Call for $name {
            const NAME: &'static str = concat!("PJRT_", stringify!($name));
            const SLOT: usize = $slot;
        }
    )*};
}

structs! {
    Error_Destroy_Args(24) { error: *mut Error };
    Error_Message_Args(40) { error: *const Error, message: *const c_char, message_size: usize };
    KeyValueGetCallback_Args(80) {
        key: *const c_char,
        key_size: usize,
        timeout_in_ms: c_int,
        callback_error: *mut Option<CallbackError>,
        user_arg: *mut c_void,
        value: *mut c_char,
        value_size: usize,
        value_deleter_callback: Option<ValueDeleter>,
    };
    KeyValueTryGetCallback_Args(72) {
        key: *const c_char,
        key_size: usize,
        callback_error: *mut Option<CallbackError>,
        user_arg: *mut c_void,
        value: *mut c_char,
        value_size: usize,
        value_deleter_callback: Option<ValueDeleter>,
    };
    KeyValuePutCallback_Args(64) {
        key: *const c_char,
        key_size: usize,
        value: *const c_char,
        value_size: usize,
        callback_error: *mut Option<CallbackError>,
        user_arg: *mut c_void,
    };
    Program(48) { code: *mut c_char, code_size: usize, format: *const c_char, format_size: usize };
    ExecuteOptions(112) {
        send_callbacks: *mut *mut SendCallbackInfo,
        recv_callbacks: *mut *mut RecvCallbackInfo,
        num_send_ops: usize,
        num_recv_ops: usize,
        launch_id: c_int,
        non_donatable_input_indices: *const i64,
        num_non_donatable_input_indices: usize,
        context: *mut ExecuteContext,
        call_location: *const c_char,
        num_tasks: usize,
        task_ids: *mut c_int,
        incarnation_ids: *mut i64,
    };
    Tiled(56) {
        minor_to_major: *const i64,
        minor_to_major_size: usize,
        tile_dims: *const i64,
        tile_dim_sizes: *const usize,
        num_tiles: usize,
    };
    Buffer_MemoryLayout(76) { tiled: Tiled, kind: c_uint };
}

calls! {
    2 Error_GetCode(28) { error: *const Error, code: c_uint };
    3 Plugin_Initialize(16) {};
    4 Plugin_Attributes(32) { attributes: *const NamedValue, num_attributes: usize };
    5 Event_Destroy(24) { event: *mut Event };
    6 Event_IsReady(25) { event: *mut Event, is_ready: bool };
    8 Event_Await(24) { event: *mut Event };
    9 Event_OnReady(40) {
        event: *mut Event,
        callback: Option<OnReadyCallback>,
        user_arg: *mut c_void,
    };
    10 Client_Create(88) {
        create_options: *const NamedValue,
        num_options: usize,
        kv_get_callback: Option<KeyValueGetCallback>,
        kv_get_user_arg: *mut c_void,
        kv_put_callback: Option<KeyValuePutCallback>,
        kv_put_user_arg: *mut c_void,
        client: *mut Client,
        kv_try_get_callback: Option<KeyValueTryGetCallback>,
        kv_try_get_user_arg: *mut c_void,
    };
    11 Client_Destroy(24) { client: *mut Client };
    12 Client_PlatformName(40) {
        client: *mut Client,
        platform_name: *const c_char,
        platform_name_size: usize,
    };
    13 Client_ProcessIndex(28) { client: *mut Client, process_index: c_int };
    14 Client_PlatformVersion(40) {
        client: *mut Client,
        platform_version: *const c_char,
        platform_version_size: usize,
    };
    15 Client_Devices(40) { client: *mut Client, devices: *const *mut Device, num_devices: usize };
    16 Client_AddressableDevices(40) {
        client: *mut Client,
        addressable_devices: *const *mut Device,
        num_addressable_devices: usize,
    };
    20 Client_Compile(56) {
        client: *mut Client,
        program: *const Program,
        compile_options: *const c_char,
        compile_options_size: usize,
        executable: *mut LoadedExecutable,
    };
    22 Client_BufferFromHostBuffer(120) {
        client: *mut Client,
        data: *const c_void,
        kind: c_uint,
        dims: *const i64,
        num_dims: usize,
        byte_strides: *const i64,
        num_byte_strides: usize,
        host_buffer_semantics: c_uint,
        device: *mut Device,
        memory: *mut Memory,
        device_layout: *mut Buffer_MemoryLayout,
        done_with_host_buffer: *mut Event,
        buffer: *mut Buffer,
    };
    23 DeviceDescription_Id(28) { device_description: *mut DeviceDescription, id: c_int };
    24 DeviceDescription_ProcessIndex(28) {
        device_description: *mut DeviceDescription,
        process_index: c_int,
    };
    26 DeviceDescription_Kind(40) {
        device_description: *mut DeviceDescription,
        device_kind: *const c_char,
        device_kind_size: usize,
    };
    28 DeviceDescription_ToString(40) {
        device_description: *mut DeviceDescription,
        to_string: *const c_char,
        to_string_size: usize,
    };
    29 Device_GetDescription(32) {
        device: *mut Device,
        device_description: *mut DeviceDescription,
    };
    40 Executable_Destroy(24) { executable: *mut Executable };
    44 Executable_NumOutputs(32) { executable: *mut Executable, num_outputs: usize };
    49 Executable_Serialize(56) {
        executable: *const Executable,
        serialized_bytes: *const c_char,
        serialized_bytes_size: usize,
        serialized_executable: *mut SerializedExecutable,
        serialized_executable_deleter: Option<ExecutableDeleter>,
    };
    50 LoadedExecutable_Destroy(24) { executable: *mut LoadedExecutable };
    51 LoadedExecutable_GetExecutable(32) {
        loaded_executable: *mut LoadedExecutable,
        executable: *mut Executable,
    };
    52 LoadedExecutable_AddressableDevices(40) {
        executable: *mut LoadedExecutable,
        addressable_devices: *const *mut Device,
        num_addressable_devices: usize,
    };
    55 LoadedExecutable_Execute(80) {
        executable: *mut LoadedExecutable,
        options: *mut ExecuteOptions,
        argument_lists: *const *const *mut Buffer,
        num_devices: usize,
        num_args: usize,
        output_lists: *const *mut *mut Buffer,
        device_complete_events: *mut *mut Event,
        execute_device: *mut Device,
    };
    56 Executable_DeserializeAndLoad(64) {
        client: *mut Client,
        serialized_executable: *const c_char,
        serialized_executable_size: usize,
        loaded_executable: *mut LoadedExecutable,
        overridden_serialized_compile_options: *const c_char,
        overridden_serialized_compile_options_size: usize,
    };
    58 Buffer_Destroy(24) { buffer: *mut Buffer };
    70 Buffer_ToHostBuffer(56) {
        src: *mut Buffer,
        host_layout: *mut Buffer_MemoryLayout,
        dst: *mut c_void,
        dst_size: usize,
        event: *mut Event,
    };
    71 Buffer_IsOnCpu(25) { buffer: *mut Buffer, is_on_cpu: bool };
    72 Buffer_ReadyEvent(32) { buffer: *mut Buffer, event: *mut Event };
    73 Buffer_UnsafePointer(32) { buffer: *mut Buffer, buffer_pointer: usize };
    74 Buffer_IncreaseExternalReferenceCount(24) { buffer: *mut Buffer };
    75 Buffer_DecreaseExternalReferenceCount(24) { buffer: *mut Buffer };
    76 Buffer_OpaqueDeviceMemoryDataPointer(32) {
        buffer: *mut Buffer,
        device_memory_ptr: *mut c_void,
    };
    90 Executable_OutputElementTypes(40) {
        executable: *mut Executable,
        output_types: *mut c_uint,
        num_output_types: usize,
    };
    91 Executable_OutputDimensions(48) {
        executable: *mut Executable,
        num_outputs: usize,
        dims: *const i64,
        dim_sizes: *const usize,
    };
}
