//! Progress bars on standard error: one for all tables, one for the table being made.
//!
//! Nothing is drawn when standard error is no terminal.

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The progress of making tables.
pub struct Progress {
    bars: MultiProgress,
    overall: ProgressBar,
    table: ProgressBar,
    /// Tables that the overall bar counts on and that have not begun.
    expected: Mutex<HashSet<String>>,
    total: AtomicUsize,
    done: AtomicUsize,
    phase: Mutex<&'static str>,
}

impl Progress {
    /// Progress of tables with these names and numbers of indices; hidden unless `visible`.
    pub fn new(visible: bool, tables: Vec<(String, u64)>) -> Progress {
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let indices = tables.iter().map(|(_, indices)| indices).sum();
        let overall = bars.add(ProgressBar::new(indices).with_style(overall_style()));
        let table = bars.add(ProgressBar::new_spinner().with_style(table_style()));
        // A hidden bar needs no thread of its own to move it.
        for bar in [&overall, &table].into_iter().filter(|_| !bars.is_hidden()) {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let progress = Progress {
            bars,
            overall,
            table,
            total: AtomicUsize::new(tables.len()),
            done: AtomicUsize::new(0),
            expected: Mutex::new(tables.into_iter().map(|(name, _)| name).collect()),
            phase: Mutex::new(""),
        };
        progress.show_count();
        progress
    }

    /// A table is about to be made.
    pub fn begin(&self, name: &str, indices: u64) {
        // One that looked sound may have turned out damaged.
        if !self.expected.lock().unwrap_or_else(|e| e.into_inner()).remove(name) {
            self.overall.inc_length(indices);
            self.total.fetch_add(1, Ordering::Relaxed);
        }
        self.show_count();
        self.table.reset_elapsed();
        self.table.set_prefix(name.to_string());
    }

    pub fn phase(&self, phase: &'static str) {
        *self.phase.lock().unwrap_or_else(|e| e.into_inner()) = phase;
        self.table.set_message(phase);
    }

    /// Positions at this distance have been found.
    pub fn plies(&self, ply: u16) {
        if !self.bars.is_hidden() {
            let phase = *self.phase.lock().unwrap_or_else(|e| e.into_inner());
            self.table.set_message(format!("{phase}, ply {ply}"));
        }
    }

    /// So many more indices are solved.
    pub fn solved(&self, indices: u64) {
        self.overall.inc(indices);
    }

    /// The table is in place.
    pub fn done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.show_count();
    }

    /// Does something that prints, out of the way of the bars.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bars.suspend(print)
    }

    /// Takes the bars away.
    pub fn clear(&self) {
        self.overall.finish_and_clear();
        self.table.finish_and_clear();
    }

    fn show_count(&self) {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        self.overall.set_prefix(format!("{done}/{total} tables"));
    }
}

fn overall_style() -> ProgressStyle {
    let rate = |state: &ProgressState, w: &mut dyn Write| {
        let _ = write!(w, "{:.1} million positions/s", state.per_sec() / 1e6);
    };
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3}%  {rate}  {left}");
    style.expect("the template is well-formed").with_key("rate", rate).with_key("left", time_left)
}

fn time_left(state: &ProgressState, w: &mut dyn Write) {
    let _ = match state.pos() {
        0 => write!(w, "time left not known yet"),
        _ => write!(w, "{} left", HumanDuration(state.eta())),
    };
}

fn table_style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {prefix:8} {msg}  {elapsed}").expect("the template is well-formed")
}

/// A bar for one piece of work whose units are counted, shown only if it takes longer than a second.
pub struct Work {
    bar: ProgressBar,
}

impl Work {
    pub fn new(visible: bool, what: &str) -> Work {
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target).with_prefix(what.to_string());
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3}%  {elapsed}  {left}");
        bar.set_style(style.expect("the template is well-formed").with_key("left", time_left));
        Work { bar }
    }

    /// Takes the units done and their total, as the library counts them.
    pub fn watch(&self) -> impl Fn(u64, u64) + Sync + '_ {
        |done, total| {
            if self.bar.elapsed() > Duration::from_secs(1) {
                self.bar.set_length(total);
                self.bar.set_position(done);
            }
        }
    }

    /// Does something that prints, out of the way of the bar.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
