//! Work in several threads: the one place that knows the pool. What comes out depends neither on how many threads there
//! are, nor on who is first.
//!
//! A thread that waits here takes other work meanwhile: nobody may hold a lock while he calls these functions, if that other
//! work may want it.

use std::num::NonZeroUsize;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::base::error::{Error, Result};

/// The stack of a thread of the pool: whoever waits works for others on top of what it waits for. Only what is used of it
/// is memory.
const STACK: usize = 64 << 20;

/// The most threads that somebody may want.
pub const MOST_THREADS: u64 = 1024;

/// Does something with as many threads as are wanted; none said: as there are processors for this process.
///
/// # Errors
/// Where the threads cannot be made.
pub fn with_threads<T: Send>(threads: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> Result<T> {
    let number = threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(number).stack_size(STACK).build();
    let pool = pool.map_err(|error| {
        Error::system(format!("{number} threads cannot be made: {error}")).hint("`⌥threads 1` needs one only")
    })?;
    Ok(pool.install(work))
}

/// Who does not say how many threads he wants has a pool for all that do not, with stacks as large: it is made where it is
/// needed, or before the memory is limited.
pub fn make_ready() {
    static READY: Once = Once::new();
    // Where somebody else made it, it is as he wants it.
    READY.call_once(|| ThreadPoolBuilder::new().stack_size(STACK).build_global().unwrap_or_default());
}

/// How many threads work here.
pub fn threads() -> usize {
    make_ready();
    rayon::current_num_threads()
}

/// Does both. Neither may wait for the other.
pub fn both<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    make_ready();
    rayon::join(first, second)
}

/// What comes of each, in their order.
pub fn each<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
    make_ready();
    items.into_par_iter().map(work).collect()
}

/// What comes of each, in their order; or the error of the first that has one. What stands behind an error need not be
/// done.
///
/// # Errors
/// Those of the work.
pub fn try_each<I: Send, T: Send>(
    items: Vec<I>,
    work: impl Fn(I) -> Result<T> + Sync + Send,
) -> Result<Vec<T>> {
    until_error(items, work).into_iter().collect()
}

/// What comes of each, in their order, up to the first error, which is the last.
pub fn until_error<I: Send, T: Send>(
    items: Vec<I>,
    work: impl Fn(I) -> Result<T> + Sync + Send,
) -> Vec<Result<T>> {
    let first_error = AtomicUsize::new(usize::MAX);
    let numbered: Vec<(usize, I)> = items.into_iter().enumerate().collect();
    let done = each(numbered, |(number, item)| {
        let is_wanted = number < first_error.load(Ordering::Relaxed);
        let done = is_wanted.then(|| work(item));
        if matches!(done, Some(Err(_))) {
            first_error.fetch_min(number, Ordering::Relaxed);
        }
        done
    });
    // All that stands before the first error was wanted.
    let last = first_error.into_inner().saturating_add(1);
    done.into_iter().take(last).flatten().collect()
}

/// What a thread gave. Its panic is ours.
pub fn join<T>(handle: ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pools() -> impl Iterator<Item = Option<NonZeroUsize>> {
        [1, 2, 8, 0].into_iter().map(NonZeroUsize::new)
    }

    #[test]
    fn everything_comes_in_order_whatever_the_threads() {
        for threads in pools() {
            let all = with_threads(threads, || each((0..1000).collect(), |number: u64| number * 2)).unwrap();
            assert!(all.into_iter().eq((0..1000).map(|number| number * 2)));
        }
        assert_eq!(with_threads(NonZeroUsize::new(3), threads).unwrap(), 3);
    }

    #[test]
    fn the_first_error_is_told_and_all_before_it_is_done() {
        for threads in pools() {
            let odd = |number: usize| match number {
                500 | 501 | 900 => Err(Error::input(format!("no {number}"))),
                _ => Ok(number),
            };
            let done = with_threads(threads, || until_error((0..1000).collect(), odd)).unwrap();
            let (last, before) = done.split_last().unwrap();
            assert!(before.iter().map(|one| *one.as_ref().unwrap()).eq(0..500));
            assert_eq!(last.as_ref().unwrap_err().to_string(), "no 500.");
            let error = with_threads(threads, || try_each((0..1000).collect(), odd)).unwrap().unwrap_err();
            assert_eq!(error.to_string(), "no 500.");
        }
    }

    #[test]
    fn a_panic_of_a_thread_is_ours() {
        for threads in pools() {
            let panic = std::panic::catch_unwind(|| {
                with_threads(threads, || both(|| each(vec![1], |_| panic!("what happened")), || ()))
            });
            assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"what happened"));
        }
    }
}
