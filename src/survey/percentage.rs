//! Percentages as they are printed: decimal text, exact integer arithmetic, rounded half up.
//!
//! Knows nothing of what is counted.

/// A percentage as it stands in print: its digits as one whole number, and how many of them are decimals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Printed {
    digits: u128,
    decimals: u32,
}

/// The most decimals that are read or written: with them every product here fits 128 bits.
const MOST_DECIMALS: u32 = 12;

impl Printed {
    /// Reads a percentage such as `4.3 %` or `37 %`; none when the text is not one.
    pub fn parse(text: &str) -> Option<Printed> {
        let number = text.trim().strip_suffix('%')?.trim_end();
        let (whole, fraction) = match number.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (number, ""),
        };
        let digits_only = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        let decimals = u32::try_from(fraction.len()).ok().filter(|&d| d <= MOST_DECIMALS)?;
        if whole.is_empty() || whole.len() > 3 || !digits_only(whole) || !digits_only(fraction) {
            return None;
        }
        Some(Printed { digits: format!("{whole}{fraction}").parse().ok()?, decimals })
    }

    /// The percentage that `count` of `population` is, rounded half up to `decimals` (at most 12); of nothing
    /// everything is 0 %.
    ///
    /// ```
    /// use hextb::survey::percentage::Printed;
    /// assert_eq!(Printed::of(1860, 95_452_380, 4).to_string(), "0.0019");
    /// assert_eq!(Printed::of(1, 8, 2).to_string(), "12.50");
    /// assert_eq!(Printed::of(1, 8, 0).to_string(), "13");
    /// ```
    pub fn of(count: u64, population: u64, decimals: u32) -> Printed {
        let decimals = decimals.min(MOST_DECIMALS);
        let scale = 100 * 10u128.pow(decimals);
        let (count, population) = (u128::from(count), u128::from(population).max(1));
        Printed { digits: (2 * count * scale + population) / (2 * population), decimals }
    }

    /// The number of decimals.
    pub fn decimals(self) -> u32 {
        self.decimals
    }
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let one = 10u128.pow(self.decimals);
        write!(f, "{}", self.digits / one)?;
        match self.decimals {
            0 => Ok(()),
            width => write!(f, ".{:0width$}", self.digits % one, width = width as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_up_and_less_down() {
        assert_eq!(Printed::of(5, 1000, 0).to_string(), "1");
        assert_eq!(Printed::of(49_999, 10_000_000, 0).to_string(), "0");
        assert_eq!(Printed::of(425, 10_000, 1).to_string(), "4.3");
        assert_eq!(Printed::of(42_499, 1_000_000, 1).to_string(), "4.2");
        assert_eq!(Printed::of(1, 3, 5).to_string(), "33.33333");
        assert_eq!(Printed::of(7, 7, 2).to_string(), "100.00");
        assert_eq!(Printed::of(u64::MAX / 2, u64::MAX, 12).to_string(), "50.000000000000");
    }

    #[test]
    fn printed_text_is_read_with_its_number_of_decimals() {
        assert_eq!(Printed::parse("4.3 %"), Some(Printed { digits: 43, decimals: 1 }));
        assert_eq!(Printed::parse("0.0019%"), Some(Printed { digits: 19, decimals: 4 }));
        assert_eq!(Printed::parse("37 %"), Some(Printed { digits: 37, decimals: 0 }));
        assert_ne!(Printed::parse("4.30 %"), Printed::parse("4.3 %"));
        for wrong in ["4.3", "4,3 %", "%", ". %", "4. %", "-1 %", "1e1 %", "always", "4.3 % of"] {
            assert_eq!(Printed::parse(wrong), None, "{wrong}");
        }
    }
}
