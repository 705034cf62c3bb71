//! The eras of GERBIL: which matcher stood behind its numbers.

/// The matchers behind published numbers that are reproduced (section 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Era {
    /// 2019-07-16 to 2023-05-09: leftover literals of both sides are forced, unknown entities are wildcards.
    A,
    /// 2023-05-10 to 2024-09-04: as A, but an item of the system can satisfy several gold items.
    B,
    /// Since 2024-09-05: gold literals are never forced, entities match by their URIs.
    C,
}
