//! Loops compiled for the instructions of newer processors, and used where the processor has them.
//!
//! Rows are sets of bits: to count them and to find the next one takes an instruction each there, and a dozen without.
//! Results are the same either way. Knows nothing of what the work is.

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// Whether the processor has the instructions that [`fastest!`] uses.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn is_newer() -> bool {
    use std::arch::is_x86_feature_detected as has;
    static FOUND: LazyLock<bool> =
        LazyLock::new(|| has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt"));
    *FOUND
}

/// Methods that call another one, which is always inlined, compiled for newer processors where there is one:
/// `fn name, newer = work(self: &self, argument: Type) -> Type;` defines `name`, with the help of `newer`, to do what
/// `work` does.
macro_rules! fastest {
    ($(
        $(#[$doc:meta])*
        $vis:vis fn $name:ident, $newer:ident =
            $work:ident($self:ident: $receiver:ty, $($argument:ident: $type:ty),*) $(-> $result:ty)?;
    )*) => {$(
        $(#[$doc])*
        $vis fn $name($self: $receiver, $($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            if $crate::coding::fastest::is_newer() {
                // SAFETY: the processor has been asked for each of the instructions.
                return unsafe { $self.$newer($($argument),*) };
            }
            $self.$work($($argument),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn $newer($self: $receiver, $($argument: $type),*) $(-> $result)? {
            $self.$work($($argument),*)
        }
    )*};
}

pub(super) use fastest;
