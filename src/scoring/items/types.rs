//! The classes that answers are to be of: stated, asked for by the query, or those of the answers.

use oxigraph::model::{NamedNode, Term};

use crate::references::types::Typing;
use crate::scoring::cases::Answer;
use crate::scoring::items::query::{distinct, of_query};
use crate::scoring::reader::{Items, Setting};
use crate::scoring::skip::{Lack, Party};
use crate::sources::document::Question;
use crate::sources::input::answer::{LabelColumns, answer_terms};
use crate::sources::input::asked::Asked;

/// The types that the file states, else those that the query asks for, else the classes of the answers.
pub(crate) fn item_types(context: &Setting<'_>, answer: &Answer<'_>, role: Party) -> Items {
    let (question, asked) = (answer.question, &answer.query.asked);
    match classes_of_answers(context, answer) {
        Some(classes) if !classes.is_empty() => return Ok(classes),
        // What the gold answers are is not known, so nothing can be right or wrong. Those of a system have no class
        // then; a query of it that cannot be read is told all the same.
        Some(_)
            if has_resource(question) && (role == Party::Gold || !matches!(asked, Asked::Unparsable(_))) =>
        {
            return Err(Lack::ItemTypes);
        }
        _ => {}
    }
    if question.answer_item_types.is_empty() {
        return of_query(asked, |graph| graph.item_types.iter().cloned().map(Term::from).collect());
    }
    let stated = question.answer_item_types.iter();
    Ok(distinct(stated.filter_map(|written| NamedNode::new(written.trim()).ok())))
}

/// The classes of the answers by the types of resources, in the order of the answers; nothing where they do not count:
/// where no types are given, or the file states item types, or the query asks for some.
pub(crate) fn classes_of_answers(context: &Setting<'_>, answer: &Answer<'_>) -> Option<Vec<Term>> {
    let Setting { plan, rules } = *context;
    let question = answer.question;
    let asks = matches!(&answer.query.asked, Asked::Graph(graph) if !graph.item_types.is_empty());
    let types = plan.references.types.as_ref().filter(|_| question.answer_item_types.is_empty() && !asks)?;
    let (links, classes) = (plan.references.links.as_ref(), plan.references.classes.as_ref());
    let typing = Typing { profile: &plan.profile, links, types, classes, ignored: &rules.ignored_classes };
    let terms = answer_terms(question, plan.profile.label_columns);
    let resources = terms.iter().filter_map(|term| match term {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    });
    Some(distinct(resources.flat_map(|resource| typing.classes(resource)).map(NamedNode::new_unchecked)))
}

fn has_resource(question: &Question) -> bool {
    answer_terms(question, LabelColumns::Answers).iter().any(|term| matches!(term, Term::NamedNode(_)))
}
