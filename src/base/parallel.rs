//! Two things at a time, where neither waits for the other. What comes out does not depend on who is first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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

/// What comes of each, in their order.
pub fn each<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let places: Vec<Mutex<(Option<I>, Option<T>)>> =
        items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
            let item = place.lock().unwrap_or_else(PoisonError::into_inner).0.take();
            let done = item.map(&work);
            place.lock().unwrap_or_else(PoisonError::into_inner).1 = done;
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(places.len());
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        run();
        others.into_iter().for_each(join);
    });
    let done = places.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner).1);
    done.flatten().collect()
}
