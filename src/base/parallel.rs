//! Two things at a time, where neither waits for the other. What comes out does not depend on who is first.

use std::thread::{self, ScopedJoinHandle};

/// Does both, the first in a thread of its own.
pub fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (join(first), second)
    })
}

/// What a thread gave. Its panic is ours.
pub fn join<T>(handle: ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
