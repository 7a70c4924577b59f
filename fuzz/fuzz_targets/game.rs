#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    hextb_fuzz::game(data);
});
