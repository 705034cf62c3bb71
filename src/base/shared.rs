//! Lists that may be shared, where millions of owners have the same one, as rankings have documents.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A list: one owner's, or that of several.
#[derive(Debug, Clone)]
pub enum SharedList<T> {
    /// That of one owner.
    Own(Vec<T>),
    /// That of several.
    Shared(Arc<[T]>),
}

impl<T: Clone> SharedList<T> {
    /// Adds or removes items: what was shared is one owner's from now on.
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        let mut items = match std::mem::take(self) {
            Self::Own(items) => items,
            Self::Shared(items) => items.to_vec(),
        };
        change(&mut items);
        *self = Self::Own(items);
    }
}

impl<T> Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Own(items) => items,
            Self::Shared(items) => items,
        }
    }
}

impl<T: Clone> DerefMut for SharedList<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Own(items) => items,
            Self::Shared(items) => Arc::make_mut(items),
        }
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for SharedList<T> {}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Own(items)
    }
}

impl<T, const N: usize> From<[T; N]> for SharedList<T> {
    fn from(items: [T; N]) -> Self {
        Self::Own(items.into())
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::Own(items.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut SharedList<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_is_not_shared_any_more() {
        let one = SharedList::Shared(Arc::new(["a".to_owned()]));
        let mut other = one.clone();
        assert_eq!(one, SharedList::from(["a".to_owned()]));
        other.change(|items| items.push("b".to_owned()));
        other[0].push('x');
        let mut third = one.clone();
        third[0].push('y');
        assert_eq!(
            (one.join(" "), other.join(" "), third.join(" ")),
            ("a".into(), "ax b".into(), "ay".into())
        );
    }
}
