//! Which answers of a system count where its submission gives queries.

/// Which answers of a system count where its submission gives queries: a concept of `code:answersFrom`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswersFrom {
    /// Those of the file; where it has none, those of the query.
    #[default]
    Given,
    /// Those of the query, also where the file gives answers; those of the file where there is no query.
    Query,
}
