//! What a piece of work has cost: time on the clock and time of processors, all threads of the process together.

use std::ops::{AddAssign, Sub};
use std::time::{Duration, Instant};

/// Time spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// On the clock.
    pub wall: Duration,
    /// Of processors; 0 where the system does not tell.
    pub cpu: Duration,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

impl Sub for Effort {
    type Output = Effort;

    fn sub(self, other: Effort) -> Effort {
        Effort { wall: self.wall.saturating_sub(other.wall), cpu: self.cpu.saturating_sub(other.cpu) }
    }
}

/// Measures what is spent from now on.
pub struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), cpu: cpu_time() }
    }

    /// What has been spent since the start, whatever the process has done meanwhile.
    pub fn spent(&self) -> Effort {
        Effort { wall: self.wall.elapsed(), cpu: cpu_time().saturating_sub(self.cpu) }
    }
}

/// Processor time of the process so far.
#[cfg(target_os = "linux")]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(target_os = "linux"))]
fn cpu_time() -> Duration {
    Duration::ZERO
}
