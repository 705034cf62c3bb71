//! The items of one side of a question, for the readings of the default profile and of value sets.

pub mod given;
pub mod origin;
pub mod query;
pub mod reader;
pub mod texts;
pub mod types;

use oxigraph::model::{NamedNode, Term};

use crate::base::iri;
use crate::base::vocab::code;
use crate::profiles::rules::Reading;
use crate::scoring::cases::Answer;
use crate::scoring::items::given::says_nothing;
use crate::scoring::items::query::{marked, of_query};
use crate::scoring::items::types::item_types;
use crate::scoring::reader::{Items, Setting};
use crate::scoring::skip::{Lack, Party};
use crate::sources::document::Question;
use crate::sources::input::answer::{answer_type, inferred_type};

/// The items of an answer; or what keeps it from having any. `gold` is the node of the gold answer to the question.
pub(crate) fn items(
    context: &Setting<'_>,
    answer: &Answer<'_>,
    gold: impl Fn() -> String,
    role: Party,
) -> Items {
    let question = answer.question;
    match context.rules.reading {
        Reading::Resources => marked(answer, &["ENTITY", "CLASS"], |graph| &graph.resources),
        Reading::Properties => marked(answer, &["PROPERTY"], |graph| &graph.properties),
        Reading::ItemTypes => item_types(context, answer, role),
        Reading::AnswerType => {
            let inferred = || inferred_type(question, context.plan.profile.label_columns);
            let name = answer_type(question).or_else(inferred).ok_or(Lack::AnswerType)?;
            Ok(vec![named(&code::iri(&format!("type-{name}")))])
        }
        Reading::Patterns => {
            let nodes = || answer.query.patterns().map(|(node, _)| named(&node.iri)).collect();
            of_query(&answer.query.asked, |_| nodes())
        }
        Reading::Candidates => Ok(candidates(question, &gold(), role)),
        reading => {
            let mut items = texts::of_answers(question, &context.plan.profile, reading, role == Party::Gold);
            if let Some(judging) = &context.rules.judging {
                items.retain(|item| !says_nothing(judging, item));
            }
            Ok(items)
        }
    }
}

/// The candidates of a question, each as its node in the dataset: the right ones of a gold standard, in a system's answer
/// all that have a score.
fn candidates(question: &Question, gold: &str, role: Party) -> Vec<Term> {
    let is_wanted = |right: bool| role == Party::System || right;
    let all = question.candidates.iter().zip(1..).filter(|(candidate, _)| is_wanted(candidate.is_right()));
    all.map(|(_, number)| named(&iri::candidate(gold, number))).collect()
}

fn named(iri: &str) -> Term {
    NamedNode::new_unchecked(iri).into()
}
