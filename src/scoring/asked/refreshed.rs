//! Refreshed gold: what the gold queries of a dataset give on a knowledge base, beside the curated answers.
//!
//! A question whose query failed, timed out, is not there, or has answers that the data do not decide keeps its curated
//! answers: a gold answer that depends on chance or on the patience of a machine is none.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::parallel::try_each;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::Asker;
use crate::kb::ledger::gather;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::ties::PossibleRows;
use crate::profiles::Profile;
use crate::profiles::gold_rules::LimitTies;
use crate::profiles::rules::ExperimentRules;
use crate::scoring::asked::kept::KeptAnswers;
use crate::scoring::asked::ran;
use crate::scoring::asked::ran::{One, Ran};
use crate::scoring::asked::status::RefreshStatus;
use crate::scoring::block::{Block, QUESTIONS};
use crate::scoring::cases::Cases;
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::queries;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::plan::Plan;
use crate::scoring::reader::Setting;
use crate::scoring::run::{run, skip_all};
use crate::sources::document::Document;
use crate::sources::input::Input;

/// What became of the gold answer of one question.
#[derive(Debug, Clone)]
pub struct Refreshed {
    /// In a word.
    pub status: RefreshStatus,
    /// Why, where the word does not say it.
    pub reason: Option<String>,
    /// The text that was run.
    pub query: Option<String>,
    /// The answers that the query gives and the dataset does not have.
    pub added: u64,
    /// Those that the dataset has and the query does not give.
    pub removed: u64,
    /// Whether the query gives the curated answers by the rules of version 3 of the default profile, whatever the status.
    pub is_same: bool,
    /// Whether it gives them term by term.
    pub is_identical: bool,
    /// The rules by which answers that are not identical are the same, without `match-`.
    pub rules: BTreeSet<String>,
    /// Which rows are sure and which tie, where it is [`RefreshStatus::Tied`]. The gold answer has all of them.
    pub ties: Option<PossibleRows>,
}

/// The refreshed gold answers of a dataset.
#[derive(Debug)]
pub struct RefreshedGold {
    /// One entry a question, in the order of the dataset.
    pub questions: Vec<Refreshed>,
    /// The dataset with the refreshed answers, where there are.
    pub document: Arc<Document>,
    /// What was answered.
    pub kept: KeptAnswers,
    /// What nodes of its graph are called after: what was answered, and that ties are told.
    pub name: String,
    /// The IRI of all of them together.
    pub iri: String,
}

impl RefreshedGold {
    /// Runs the gold queries of a dataset. `answered_by` is asked at the end who has answered.
    pub fn ask(
        mint: &Mint,
        (dataset, limit_ties): (&Arc<Input>, LimitTies),
        asker: &dyn Asker,
        answered_by: impl FnOnce() -> AnsweredBy,
        jobs: NonZeroUsize,
        done: &(dyn Fn(&Outcome) + Sync),
    ) -> Result<Self> {
        let (ran, ledger) = gather(asker, jobs, done, |ledger| {
            let one = |question| {
                let one = ran::run(question, ledger);
                let tied = if limit_ties == LimitTies::AllRight { ran::tied(&one, ledger) } else { None };
                (one, tied)
            };
            dataset.document.questions.iter().map(one).collect::<Vec<_>>()
        })?;
        let tells_ties = ran.iter().any(|(_, tied)| tied.is_some());
        let kept = KeptAnswers::new(ledger.into_snapshot(answered_by()), mint)?;
        let mut answered = Input { iri: "urn:refreshed".to_owned(), ..Input::clone(dataset) };
        for (question, (one, tied)) in Arc::make_mut(&mut answered.document).questions.iter_mut().zip(&ran) {
            if let Ran::Answered(set) = &one.ran {
                let mut set = set.clone();
                if let Some(Ok(ties)) = tied {
                    set.rows = ties.rows().cloned().collect();
                }
                question.answers = ran::answers(set);
            }
        }
        let answers = Arc::clone(&answered.document);
        let compared = compare(dataset, answered)?;
        let questions: Vec<Refreshed> =
            ran.into_iter().zip(compared).map(|(ran, compared)| refreshed(ran, compared)).collect();
        let mut document = Document::clone(&dataset.document);
        for ((question, answered), refreshed) in
            document.questions.iter_mut().zip(&answers.questions).zip(&questions)
        {
            if refreshed.status.has_answers() {
                question.answers = answered.answers.clone();
            }
        }
        // The same answers are other gold where ties are told. No name of a knowledge base has a `~`.
        let name = if tells_ties { format!("{}~ties", kept.name) } else { kept.name.clone() };
        let iri = mint.refreshed_gold(&dataset.iri, &name);
        Ok(Self { questions, document: Arc::new(document), kept, name, iri })
    }

    /// How many questions have a status.
    pub fn count(&self, status: RefreshStatus) -> usize {
        self.questions.iter().filter(|question| question.status == status).count()
    }

    /// The node of the gold answer of a question: the refreshed one where there is, else the curated one.
    pub fn node(&self, question: &str, position: usize) -> String {
        if self.questions[position].status.has_answers() {
            iri::refreshed_gold(question, &self.name)
        } else {
            iri::curated_gold(question)
        }
    }
}

/// How the curated answers of a question and those of its query differ.
#[derive(Debug, Default)]
struct Compared {
    gold: u64,
    given: u64,
    matched: u64,
    is_identical: bool,
    rules: BTreeSet<String>,
}

/// The version of the default profile whose rules say whether answers are the same. Published statuses depend on it: who
/// asks again must find what an older program found.
const COMPARED_BY: &str = "https://w3id.org/qassay/profile/qassay/3";

/// Compares by the rules of [`COMPARED_BY`] for answers: gold are the curated ones.
fn compare(dataset: &Arc<Input>, answered: Input) -> Result<Vec<Compared>> {
    let unknown = || Error::system(format!("there is no profile <{COMPARED_BY}>"));
    let profile = Arc::new(Profile::with_iri(COMPARED_BY).ok_or_else(unknown)?);
    let Some(rules) = profile.experiment("QA") else {
        return Ok(Vec::new());
    };
    let plan = Plan::new(Arc::clone(&profile), Arc::default(), &[])?;
    let cases = Cases::of_same(Arc::clone(dataset), answered);
    let context = Setting { plan: &plan, rules };
    if skip_all(&context, &cases).is_some() {
        return Ok(Vec::new());
    }
    let steps = queries(rules)?;
    let of_block = |block: Block<'_>| -> Result<Vec<Compared>> {
        let matches = run(&context, &steps, &block, &mut Workspace::new(&block))?;
        Ok(matches.iter().map(|question| compared(question, rules)).collect())
    };
    Ok(try_each(Block::all(&cases, QUESTIONS), of_block)?.into_iter().flatten().collect())
}

fn compared(question: &QuestionMatch, rules: &ExperimentRules) -> Compared {
    let sorted = |items: &[u32]| items.iter().copied().collect::<BTreeSet<u32>>();
    let used = question.pairs.iter().map(|pair| rules.steps[usize::from(pair.step)].rule.as_str());
    let named = used.map(|rule| rule.trim_start_matches("match-").to_owned());
    Compared {
        gold: question.counts.gold,
        given: question.counts.system,
        matched: question.counts.matched,
        is_identical: sorted(&question.gold) == sorted(&question.system),
        rules: named.filter(|rule| rule != "identical").collect(),
    }
}

fn refreshed((one, possible): (One, Option<Result<PossibleRows, String>>), compared: Compared) -> Refreshed {
    let Compared { gold, given, matched, is_identical, rules } = compared;
    let (ties, undecided) = match possible {
        Some(Ok(rows)) => (Some(rows), one.undecided),
        Some(Err(why)) => (None, Some(why)),
        None => (None, one.undecided),
    };
    let is_same = matched == gold && matched == given;
    let has_answers = matches!(one.ran, Ran::Answered(_));
    let (status, reason) = match (&one.ran, undecided) {
        (Ran::NoQuery | Ran::Pending, _) => (RefreshStatus::NoQuery, None),
        (Ran::Failed(failure), _) if failure.cause == Cause::TimedOut => {
            (RefreshStatus::TimedOut, Some(failure.message.clone()))
        }
        (Ran::Failed(failure), _) => (RefreshStatus::Failed, Some(ran::reason(failure))),
        (Ran::Answered(_), Some(why)) if ties.is_some() => (RefreshStatus::Tied, Some(why)),
        (Ran::Answered(_), Some(why)) => (RefreshStatus::Undecidable, Some(why)),
        (Ran::Answered(_), None) if is_same => (RefreshStatus::Same, None),
        (Ran::Answered(_), None) if given == 0 => (RefreshStatus::Empty, None),
        (Ran::Answered(_), None) => (RefreshStatus::Changed, None),
    };
    Refreshed {
        status,
        reason,
        query: one.query,
        added: if has_answers { given - matched } else { 0 },
        removed: if has_answers { gold - matched } else { 0 },
        is_same: has_answers && is_same,
        is_identical: has_answers && is_identical,
        rules: if has_answers { rules } else { BTreeSet::new() },
        ties,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kb::testing::TestKb;
    use crate::sources::file::source::Source;

    const TRIPLES: &str = ":a :size 5 ; :old true . :b :size 5 ; :in :x . :c :size 4 ; :in :x .";

    /// Question, query, curated answers.
    const QUESTIONS: [(&str, &str, &str); 10] = [
        (
            "terms",
            "SELECT ?x { ?x :in :x }",
            r#"{"x": {"type": "uri", "value": "http://e/b"}}, {"x": {"type": "uri", "value": "http://e/c"}}"#,
        ),
        ("number", "SELECT ?n { :a :size ?n }", r#"{"n": {"type": "literal", "value": "5.0"}}"#),
        ("boolean", "ASK { :a :old true }", r#"{"x": {"type": "literal", "value": "True"}}"#),
        (
            "changed",
            "SELECT ?x { ?x :size 5 }",
            r#"{"x": {"type": "uri", "value": "http://e/a"}}, {"x": {"type": "uri", "value": "http://e/z"}}"#,
        ),
        ("empty", "SELECT ?x { ?x :size 9 }", r#"{"x": {"type": "uri", "value": "http://e/a"}}"#),
        ("broken", "SELECT ?x { ?x :size }", r#"{"x": {"type": "uri", "value": "http://e/a"}}"#),
        ("slow", "SELECT ?never { ?never :size 5 }", r#"{"x": {"type": "uri", "value": "http://e/a"}}"#),
        (
            "tie",
            "SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) LIMIT 1",
            r#"{"x": {"type": "uri", "value": "http://e/z"}}"#,
        ),
        ("graph", "DESCRIBE :a", r#"{"x": {"type": "uri", "value": "http://e/a"}}"#),
        ("silent", "", r#"{"x": {"type": "uri", "value": "http://e/a"}}"#),
    ];

    fn dataset() -> Arc<Input> {
        let question = |(id, query, rows): &(&str, &str, &str)| {
            let query = match *query {
                "" => String::new(),
                query => format!(r#""query": {{"sparql": "PREFIX : <http://e/> {query}"}}, "#),
            };
            format!(
                r#"{{"id": "{id}", {query}"answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{rows}]}}}}]}}"#
            )
        };
        let questions: Vec<String> = QUESTIONS.iter().map(question).collect();
        let text = format!(r#"{{"dataset": {{"id": "small"}}, "questions": [{}]}}"#, questions.join(", "));
        let source = Source::from_bytes("small.json", text.into_bytes()).expect("a source");
        Arc::new(Input::dataset(source, &Mint::default()).expect("a dataset"))
    }

    fn gold(triples: &str) -> RefreshedGold {
        gold_with(triples, LimitTies::Undecided)
    }

    fn gold_with(triples: &str, limit_ties: LimitTies) -> RefreshedGold {
        let answered_by = || AnsweredBy::Snapshot {
            iri: "https://w3id.org/qassay/kb/e/1".to_owned(),
            digest: "ab".repeat(32),
        };
        let asker = TestKb::new(triples);
        let wanted = (&dataset(), limit_ties);
        RefreshedGold::ask(&Mint::default(), wanted, &asker, answered_by, NonZeroUsize::MIN, &|_| {})
            .expect("gold")
    }

    #[test]
    fn every_status() {
        let gold = gold(TRIPLES);
        let told = QUESTIONS.iter().zip(&gold.questions).map(|((id, ..), question)| {
            let Refreshed { status, added, removed, is_same, is_identical, .. } = question;
            let rules: Vec<&str> = question.rules.iter().map(String::as_str).collect();
            let reason = question.reason.as_deref().unwrap_or("-");
            format!(
                "{id}: {} +{added} -{removed} same {is_same} identical {is_identical} [{}] {reason}\n",
                status.words(),
                rules.join(" ")
            )
        });
        insta::assert_snapshot!(told.collect::<String>(), @r"
        terms: same +0 -0 same true identical true [] -
        number: same +0 -0 same true identical false [value-untyped] -
        boolean: same +0 -0 same true identical false [value-untyped] -
        changed: changed +1 -1 same false identical false [] -
        empty: empty +0 -1 same false identical false [] -
        broken: query failed +0 -0 same false identical false [] no SPARQL 1.1: `}` is not expected here (line 1, column 43)
        slow: timed out +0 -0 same false identical false [] stopped after 1 s
        tie: undecidable +1 -1 same false identical false [] LIMIT 1: 2 rows tie for the last place
        graph: query failed +0 -0 same false identical false [] not run: DESCRIBE gives no answers
        silent: no query +0 -0 same false identical false [] -
        ");
    }

    #[test]
    fn ties_are_told_where_a_profile_wants_to_know() {
        let (plain, told) = (gold(TRIPLES), gold_with(TRIPLES, LimitTies::AllRight));
        let tie = QUESTIONS.iter().position(|(id, ..)| *id == "tie").expect("a tie");
        for (position, (one, other)) in plain.questions.iter().zip(&told.questions).enumerate() {
            assert_eq!(one.status == other.status, position != tie);
        }
        let Refreshed { status, ties, added, removed, .. } = &told.questions[tie];
        assert_eq!((*status, *added, *removed), (RefreshStatus::Tied, 2, 1), "a and b in place of z");
        let ties = ties.as_ref().expect("ties");
        assert_eq!((ties.sure.len(), ties.groups.len()), (0, 1));
        assert_eq!((ties.groups[0].wanted, ties.groups[0].rows.len()), (1, 2));
        assert_eq!(told.document.questions[tie].answers.sets[0].rows, ties.groups[0].rows);
        // Nothing but ties tells the two apart, neither in what was answered nor in names.
        assert_eq!(
            (told.name, plain.name.as_str()),
            (format!("{}~ties", plain.name), plain.kept.name.as_str())
        );
        assert_eq!(told.kept.source.sha256(), plain.kept.source.sha256(), "all rows were asked for anyway");
        let none = ":a :size 5 ; :old true .";
        assert_eq!(
            gold(none).iri,
            gold_with(none, LimitTies::AllRight).iri,
            "where nothing ties, it is the same gold"
        );
    }

    #[test]
    fn what_is_not_refreshed_stays() {
        let (gold, dataset) = (gold(TRIPLES), dataset());
        for (position, (new, old)) in
            gold.document.questions.iter().zip(&dataset.document.questions).enumerate()
        {
            let is_refreshed = position < 5;
            assert_eq!(gold.questions[position].status.has_answers(), is_refreshed, "{}", old.key);
            // Those of the first question are what they were, as terms and in their order.
            assert_eq!(new.answers != old.answers, is_refreshed && position > 0, "{}", old.key);
            let node = gold.node("http://q", position);
            assert_eq!(node.ends_with("/gold/curated"), !is_refreshed, "{node}");
        }
        assert_eq!(gold.kept.name.len(), 32, "a time limit was met: another machine may say something else");
    }

    #[test]
    fn the_graph_is_the_same_from_what_was_answered() {
        let (first, dataset, mint) = (gold(TRIPLES), dataset(), Mint::default());
        let kept = &first.kept.snapshot;
        let again = RefreshedGold::ask(
            &mint,
            (&dataset, LimitTies::Undecided),
            kept,
            || kept.answered_by.clone(),
            NonZeroUsize::MIN,
            &|_| {},
        );
        let again = again.expect("gold");
        assert_eq!(again.kept.source.sha256(), first.kept.source.sha256());
        let written = |gold: &RefreshedGold| {
            let mut bytes = Vec::new();
            gold.write(&mut bytes, &mint, &dataset).expect("a graph");
            String::from_utf8(bytes).expect("text")
        };
        assert_eq!(written(&again), written(&first));
        // One triple more answers two questions.
        let other = written(&gold(&format!("{TRIPLES} :d :size 9 .")));
        let about = |text: &str| -> Vec<String> {
            let of_answers = text.lines().filter(|line| line.contains("#answerTerm>"));
            of_answers
                .map(|line| {
                    line.split(" <https://w3id.org/qassay/graph/")
                        .next()
                        .unwrap_or_default()
                        .replace(&first.kept.name, "K")
                })
                .collect()
        };
        let (before, after) = (about(&written(&first)), about(&other));
        assert_eq!(before.len(), 6, "{before:?}");
        assert_eq!(after.len(), 8, "nothing is empty, and nothing ties: {after:?}");
    }
}
