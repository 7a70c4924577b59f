//! Ctrl-C and SIGTERM while tables are made: unfinished files go, finished tables stay, the exit status tells.
//!
//! Knows nothing of what is being made; the library says which files are unfinished. A hang-up is left alone, so that
//! `nohup` works; on systems without these signals the program just ends, and the next run clears away what it left.

/// From now on a signal to stop removes unfinished files before the program ends.
#[cfg(unix)]
pub fn tidy_up_when_interrupted() {
    use super::failure::{Status, complain};
    use hextb::table::unfinished;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::io::{IsTerminal, Write};

    // Without the handlers the program ends all the same, only less tidily.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
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

#[cfg(not(unix))]
pub fn tidy_up_when_interrupted() {}
