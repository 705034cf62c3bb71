//! What beside the two files decides a matching: links, labels, classes, types, the language.

use crate::references::assessments::Assessments;
use crate::references::classes::Classes;
use crate::references::labels::Labels;
use crate::references::links::Links;
use crate::references::types::Types;
use crate::scoring::gerbil::same_as::Retriever;

/// What is known beyond the dataset and the answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Knowledge<'a> {
    /// The closure of `owl:sameAs` links: clusters.
    pub links: Option<&'a Links>,
    /// GERBIL's way from a resource to its equals: directed, crawled.
    pub retriever: Option<Retriever<'a>>,
    /// Labels of resources.
    pub labels: Option<&'a Labels>,
    /// The hierarchy of classes.
    pub classes: Option<&'a Classes>,
    /// The classes of resources.
    pub types: Option<&'a Types>,
    /// What people say about answers.
    pub assessments: Option<&'a Assessments>,
    /// The language of the questions, where the user named one.
    pub language: Option<&'a str>,
}
