//! Signals: at Ctrl-C, SIGTERM and SIGHUP while tables are made unfinished files go, finished tables stay, the exit status
//! tells; faults of files that the system tells by a signal are told in a line.
//!
//! Knows nothing of what is being made; the library says which files are unfinished. A hang-up is left alone, so that
//! `nohup` works; on systems without these signals the program just ends, and the next run clears away what it left.

/// From now on a signal to stop removes unfinished files before the program ends.
#[cfg(unix)]
pub fn tidy_up_when_interrupted() {
    use super::failure::{Status, complain};
    use hextb::table::unfinished;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::io::{IsTerminal, Write};

    // Without the handlers the program ends all the same, only less tidily.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            unfinished::remove_all();
            let mut stderr = std::io::stderr();
            if stderr.is_terminal() {
                // Off the line of the progress bars.
                let _ = writeln!(stderr);
            }
            complain("interrupted; finished tables are kept");
            std::process::exit(Status::Interrupted as i32);
        }
    });
}

/// From now on a mapped file that is cut short or cannot be read while it is in use ends the program with a line and
/// its status, and a file that grows beyond what is allowed (`ulimit -f`) is an error like others.
#[cfg(unix)]
pub fn tell_of_faults() {
    use super::failure::Status;
    use signal_hook::consts::{SIGBUS, SIGXFSZ};
    use std::io::Write;
    use std::os::fd::FromRawFd;

    const MESSAGE: &[u8] = b"hextb: a table or scratch file was cut short, or its disk failed, while it was in use; \
        `hextb list` and `hextb check` tell which tables are damaged\n";
    let tell = || {
        // SAFETY: standard error is not closed by the handler, as the file is never dropped.
        let mut stderr = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(2) });
        let _ = stderr.write(MESSAGE);
        signal_hook::low_level::exit(Status::System as i32);
    };
    // SAFETY: the handler does nothing but write and leave, which a signal handler may. Without it the program ends all
    // the same, without a word.
    let _ = unsafe { signal_hook::low_level::register(SIGBUS, tell) };
    // SAFETY: the handler does nothing. With it, writing fails instead of the program.
    let _ = unsafe { signal_hook::low_level::register(SIGXFSZ, || {}) };
}

#[cfg(not(unix))]
pub fn tell_of_faults() {}

#[cfg(not(unix))]
pub fn tidy_up_when_interrupted() {}
