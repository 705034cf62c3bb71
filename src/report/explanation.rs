//! The explanation of one question: gold and given answers side by side, and why they match.

use std::fmt::Write as _;

use crate::base::text;

/// One item, or one pair of items that match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedItem {
    /// The gold item; none for an extra item of the system.
    pub gold: Option<String>,
    /// The system's item; none for a missed gold item.
    pub system: Option<String>,
    /// The rule of the match, with normalisations and the chain of links.
    pub why: Vec<String>,
}

/// One answer in its place, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedAnswer {
    /// What became of it: `correct`, `repeated` or `incorrect`.
    pub verdict: String,
    /// What it was ranked by, as published.
    pub score: Option<String>,
    /// The answer for people.
    pub answer: String,
}

/// Everything known about a question in an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explained {
    /// The id.
    pub question: String,
    /// The texts with their languages; the wanted language first.
    pub texts: Vec<(String, String)>,
    /// The experiment type.
    pub experiment: String,
    /// How the system answered.
    pub status: String,
    /// Why the question has no scores, if it has none.
    pub skipped: Option<String>,
    /// `tp`, `fp`, `fn`, precision, recall, F1 as published, and the measures that the profile has for one question.
    pub numbers: Vec<(String, String)>,
    /// Where the items of gold and system come from, where there are several ways.
    pub origins: Vec<(String, String)>,
    /// What a reader would not expect.
    pub notes: Vec<String>,
    /// The answers in their order, where they are judged one by one.
    pub ranking: Vec<RankedAnswer>,
    /// The items: matched, missed, extra.
    pub items: Vec<ExplainedItem>,
    /// The gold queries.
    pub gold_queries: Vec<String>,
    /// The system's queries.
    pub system_queries: Vec<String>,
    /// What the system reported, if it failed.
    pub error: Option<String>,
    /// IRI of the observation.
    pub observation: String,
    /// The question, the gold answer and the system's answer.
    pub nodes: Vec<(String, String)>,
}

/// The explanation for people.
pub fn explanation(explained: &Explained) -> String {
    let mut text = String::new();
    let mut line = |content: &str| {
        text.push_str(&text::cell(content.trim_end()));
        text.push('\n');
    };
    let experiment = match explained.experiment.as_str() {
        "QA" => String::new(),
        name => format!(" in {name}"),
    };
    line(&format!("question {}{experiment} ({})", explained.question, explained.status));
    for (language, words) in &explained.texts {
        line(&format!("  {language:<6} {words}"));
    }
    line("");
    let numbers: Vec<String> =
        explained.numbers.iter().map(|(name, value)| format!("{name} {value}")).collect();
    line(&numbers.join("   "));
    for (side, origin) in &explained.origins {
        line(&format!("{side}: {origin}"));
    }
    for note in &explained.notes {
        line(&format!("note: {note}"));
    }
    if let Some(reason) = &explained.skipped {
        line(&format!("not scored: {reason}"));
    }
    if let Some(error) = &explained.error {
        line(&format!("error: {error}"));
    }
    ranking(&mut text, &explained.ranking);
    section(&mut text, "both", explained, |item| item.gold.is_some() && item.system.is_some());
    section(&mut text, "missed", explained, |item| item.system.is_none());
    section(&mut text, "extra", explained, |item| item.gold.is_none());
    for (heading, queries) in
        [("gold query", &explained.gold_queries), ("system query", &explained.system_queries)]
    {
        for query in queries {
            write_block(&mut text, heading, query);
        }
        // What is ranked is seldom asked by queries.
        if queries.is_empty() && explained.ranking.is_empty() {
            write_block(&mut text, heading, "none");
        }
    }
    text.push_str("\nin RDF\n");
    write_pair(&mut text, "observation", &explained.observation);
    for (name, iri) in &explained.nodes {
        write_pair(&mut text, name, iri);
    }
    text
}

fn write_pair(text: &mut String, name: &str, iri: &str) {
    writeln!(text, "  {name:<13} {iri}").expect("writing to a String cannot fail");
}

fn write_block(text: &mut String, heading: &str, content: &str) {
    writeln!(text, "\n{heading}").expect("writing to a String cannot fail");
    for line in content.lines() {
        writeln!(text, "  {}", text::line(line.trim_end())).expect("writing to a String cannot fail");
    }
}

/// The answers with their ranks, a line each.
fn ranking(text: &mut String, ranking: &[RankedAnswer]) {
    if ranking.is_empty() {
        return;
    }
    writeln!(text, "\nranking ({})", ranking.len()).expect("writing to a String cannot fail");
    let score = |ranked: &RankedAnswer| ranked.score.clone().unwrap_or_else(|| "-".to_owned());
    let rank_width = ranking.len().to_string().len();
    let score_width = ranking.iter().map(|ranked| score(ranked).len()).max().unwrap_or_default();
    for (ranked, rank) in ranking.iter().zip(1..) {
        let (verdict, score, answer) = (&ranked.verdict, score(ranked), text::cell(&ranked.answer));
        writeln!(text, "  {rank:>rank_width$}  {verdict:<9}  {score:<score_width$}  {answer}")
            .expect("writing to a String cannot fail");
    }
}

fn section(
    text: &mut String,
    heading: &str,
    explained: &Explained,
    belongs: impl Fn(&ExplainedItem) -> bool,
) {
    let items: Vec<&ExplainedItem> = explained.items.iter().filter(|item| belongs(item)).collect();
    if items.is_empty() {
        return;
    }
    writeln!(text, "\n{heading} ({})", items.len()).expect("writing to a String cannot fail");
    for item in items {
        let shown = match (&item.gold, &item.system) {
            (Some(gold), Some(system)) if gold == system => gold.clone(),
            (Some(gold), Some(system)) => format!("{gold}  ~  {system}"),
            (Some(one), None) | (None, Some(one)) => one.clone(),
            (None, None) => String::new(),
        };
        writeln!(text, "  {}", text::cell(&shown)).expect("writing to a String cannot fail");
        for why in &item.why {
            writeln!(text, "      {}", text::cell(why)).expect("writing to a String cannot fail");
        }
    }
}
