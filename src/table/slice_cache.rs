//! A bounded cache of slices in memory, in whatever form they are kept.

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use std::sync::Arc;

/// The number of a table, its slice and the side to move.
pub type SliceKey = (u32, u32, u8);

/// Something that takes memory.
pub trait HasBytes {
    fn bytes(&self) -> usize;
}

/// Slices weigh what they take.
#[derive(Clone)]
pub struct ByBytes;

impl<T: HasBytes> Weighter<SliceKey, Arc<T>> for ByBytes {
    fn weight(&self, _: &SliceKey, slice: &Arc<T>) -> u64 {
        slice.bytes() as u64
    }
}

pub type SliceCache<T> = Cache<SliceKey, Arc<T>, ByBytes>;

/// A cache that keeps up to so many bytes.
pub fn slice_cache<T: HasBytes>(bytes: u64) -> SliceCache<T> {
    // One shard: a slice may be nearly as large as all that may be kept.
    let options = OptionsBuilder::new()
        .shards(1)
        .estimated_items_capacity(4096)
        .weight_capacity(bytes)
        .build()
        .expect("the options are complete");
    Cache::with_options(options, ByBytes, DefaultHashBuilder::default(), DefaultLifecycle::default())
}
