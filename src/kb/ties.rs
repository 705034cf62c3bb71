//! What a query may answer whose LIMIT or OFFSET cuts through rows that nothing tells apart: the rows that it has for sure,
//! and those that tie for the rest of its places.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::base::limits::MOST_TIED;
use crate::kb::decide::{Doubt, cells, judge, keys, number, rows, shown, tied};
use crate::kb::ledger::Ledger;
use crate::sources::document::{AnswerSet, Row};
use crate::sparql::chance::{Cut, chances};

/// The rows that a query may answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PossibleRows {
    /// Those that every right answer has, in the order of the query.
    pub sure: Vec<Row>,
    /// Those of which some are right, as many as they have places; one group at each end of the cut, in their order.
    pub groups: Vec<TiedRows>,
}

/// Rows that tie.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TiedRows {
    /// How many of them are right, fewer than there are.
    pub wanted: usize,
    /// The rows, in the order of their terms.
    pub rows: Vec<Row>,
}

impl PossibleRows {
    /// All rows: the sure ones, then those that tie.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sure.iter().chain(self.groups.iter().flat_map(|group| &group.rows))
    }
}

/// What is known about the ties of a query that the data do not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tied {
    /// It is not ties at its end that leave a choice, or not they alone.
    Otherwise,
    /// Something has to be asked before it can be said.
    Pending,
    /// They cannot be told, for this reason.
    Untold(String),
    /// These rows are sure, and these tie.
    Told(PossibleRows),
}

/// The ties of a query that the data do not decide, of which `answers` are those that it gave.
pub fn ties(query: &str, answers: &AnswerSet, ledger: &Ledger) -> Tied {
    let Ok(chances) = chances(query) else { return Tied::Otherwise };
    let (of_sub_queries, own): (Vec<&Cut>, Vec<&Cut>) = chances.cuts.iter().partition(|cut| cut.in_sub_query);
    let [cut] = own[..] else { return Tied::Otherwise };
    let other_choice = chances.picks.is_some() || !chances.certain.is_empty();
    let is_open = |cut: &&Cut| judge(cut, ledger).is_err();
    if answers.boolean.is_some() || other_choice || of_sub_queries.iter().any(is_open) {
        return Tied::Otherwise;
    }
    match told(cut, ledger) {
        Ok(ties) if ties.groups.is_empty() => Tied::Otherwise,
        Ok(ties) => Tied::Told(ties),
        Err(Doubt::Pending) => Tied::Pending,
        Err(Doubt::Reason(reason)) => Tied::Untold(reason),
    }
}

fn told(cut: &Cut, ledger: &Ledger) -> Result<PossibleRows, Doubt> {
    let about = shown(cut);
    let few = |count: usize| match count {
        0..=MOST_TIED => Ok(()),
        _ => Err(format!("{about}: {count} rows tie, more than the {MOST_TIED} of which qassay keeps all")),
    };
    let is_ordered = !cut.keys.is_empty();
    if !is_ordered {
        // Counted before they are asked for: there may be millions.
        few(number(&cut.count, &about, ledger)?)?;
    }
    let all = in_order(cut, &rows(cut, &cut.whole, &about, ledger)?);
    let start = cut.start.min(all.len());
    let end = cut.length.map_or(all.len(), |length| start.saturating_add(length).min(all.len()));
    let tied_at = |edge: usize| if is_ordered { tied(cut, &all, all[edge]) } else { 0..all.len() };
    let mut groups: Vec<Range<usize>> = Vec::new();
    for edge in [start, end].into_iter().filter(|edge| *edge < all.len()) {
        let group = tied_at(edge);
        // Rows that are the same to who reads the answers leave no choice.
        if group.start < edge && !are_same(cut, &all[group.clone()]) {
            groups.push(group);
        }
    }
    groups.dedup();
    let mut ties = PossibleRows::default();
    let shown = |row: &&Row| {
        let mut row = Row::clone(row);
        row.cells.change(|cells| cells.retain(|cell| cut.variables.contains(&cell.variable)));
        row
    };
    let is_tied = |at: &usize| groups.iter().any(|group| group.contains(at));
    ties.sure = (start..end).filter(|at| !is_tied(at)).map(|at| shown(&all[at])).collect();
    for group in &groups {
        few(group.len())?;
        let wanted = group.end.min(end) - group.start.max(start);
        let rows = all[group.clone()].iter().map(shown).collect();
        ties.groups.push(TiedRows { wanted, rows });
    }
    Ok(ties)
}

/// Rows with the same keys in the order of their terms: a store gives them in any.
fn in_order<'a>(cut: &Cut, rows: &[&'a Row]) -> Vec<&'a Row> {
    let mut run = 0;
    let mut placed: Vec<_> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        if at > 0 && keys(cut, rows[at - 1]) != keys(cut, row) {
            run = at;
        }
        placed.push(((run, cells(&cut.variables, row)), *row));
    }
    placed.sort_by(|(one, _), (other, _)| one.cmp(other));
    placed.into_iter().map(|(_, row)| row).collect()
}

fn are_same(cut: &Cut, rows: &[&Row]) -> bool {
    let different: BTreeSet<_> = rows.iter().map(|row| cells(&cut.variables, row)).collect();
    different.len() < 2
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::kb::decide::{Decision, decide};
    use crate::kb::ledger::gather;
    use crate::kb::outcome::Outcome;
    use crate::kb::testing::{TOWNS, TestKb};

    /// The sure rows of a query on a small knowledge base, and the groups of tied ones with how many of them are wanted.
    fn told_of(query: &str) -> String {
        let query = format!("PREFIX : <http://e/> {query}");
        let told = |ledger: &Ledger| match (ledger.outcome(&query), decide(&query, ledger)) {
            (Some(Outcome::Answered(answers)), Decision::Undecided(_)) => ties(&query, answers, ledger),
            _ => Tied::Otherwise,
        };
        let (found, _) = gather(&TestKb::new(TOWNS), NonZeroUsize::MIN, &|_| {}, told).expect("ties");
        let row = |row: &Row| {
            let cells: Vec<&str> =
                row.cells.iter().map(|cell| cell.value.trim_start_matches("http://e/")).collect();
            cells.join("|")
        };
        let rows = |rows: &[Row]| rows.iter().map(row).collect::<Vec<_>>().join(" ");
        match found {
            Tied::Otherwise => "otherwise".to_owned(),
            Tied::Pending => "pending".to_owned(),
            Tied::Untold(why) => why,
            Tied::Told(ties) => {
                let group = |group: &TiedRows| format!(" + {} of {}", group.wanted, rows(&group.rows));
                format!("{}{}", rows(&ties.sure), ties.groups.iter().map(group).collect::<String>())
            }
        }
    }

    #[test]
    fn rows_in_order() {
        let by_size = |end: &str| told_of(&format!("SELECT ?x {{ ?x :size ?n }} ORDER BY DESC(?n) {end}"));
        assert_eq!(by_size("LIMIT 2"), "f + 1 of a b");
        assert_eq!(by_size("LIMIT 4"), "f a b + 1 of c d", "4.0 is 4");
        assert_eq!(by_size("LIMIT 3"), "otherwise", "it is decided");
        assert_eq!(by_size("OFFSET 2"), "c d e + 1 of a b");
        assert_eq!(by_size("LIMIT 2 OFFSET 2"), " + 1 of a b + 1 of c d");
        assert_eq!(by_size("LIMIT 3 OFFSET 1"), "a b + 1 of c d");
        let same = "SELECT ?x { ?x :size ?n } ORDER BY (1 - (?n - ?n))";
        assert_eq!(told_of(&format!("{same} LIMIT 2 OFFSET 3")), " + 2 of a b c d e f", "within one group");
        let shown = "SELECT ?x ?y { ?x :in ?y } ORDER BY ?y LIMIT 3";
        assert_eq!(told_of(shown), "a|x b|x + 1 of c|y d|y e|y", "without the keys");
    }

    #[test]
    fn rows_that_nothing_orders() {
        assert_eq!(told_of("SELECT ?x { ?x :in :y } LIMIT 2"), " + 2 of c d e");
        assert_eq!(told_of("SELECT ?x { ?x :in :y } LIMIT 2 OFFSET 2"), " + 1 of c d e");
        assert_eq!(
            told_of("SELECT ?y { ?x :in ?y } LIMIT 4"),
            " + 4 of x x y y y",
            "each as often as it is there"
        );
        assert_eq!(told_of("SELECT DISTINCT ?y { ?x :in ?y } LIMIT 1"), " + 1 of x y");
        let distinct = "SELECT DISTINCT ?y { ?x :in ?y ; :size ?n } ORDER BY (?n - ?n) LIMIT 1";
        assert_eq!(told_of(distinct), " + 1 of x y", "the rows that are the same but for their keys are one");
    }

    #[test]
    fn what_are_no_ties() {
        assert_eq!(told_of("SELECT ?x { { SELECT ?y { ?x :in ?y } LIMIT 1 } ?x :in ?y }"), "otherwise");
        assert_eq!(
            told_of("SELECT ?x { { SELECT ?y { ?x :in ?y } LIMIT 1 } ?x :in ?y } LIMIT 1"),
            "otherwise"
        );
        assert_eq!(told_of("SELECT ?x { ?x :size ?n } ORDER BY RAND() LIMIT 1"), "otherwise");
        assert_eq!(told_of("ASK { ?x :in ?y } OFFSET 2"), "otherwise");
        let picked = "SELECT ?y (SAMPLE(?n) AS ?s) { ?x :in ?y ; :size ?n } GROUP BY ?y LIMIT 1";
        assert_eq!(told_of(picked), "otherwise", "a group has several members");
    }

    #[test]
    fn too_many_are_not_told() {
        let digits = "VALUES ?a { 0 1 2 3 4 5 6 7 8 9 }";
        let many: String = "abcde".chars().map(|name| digits.replace('a', &name.to_string())).collect();
        assert_eq!(
            told_of(&format!("SELECT * {{ {many} }} LIMIT 3")),
            "LIMIT 3: 100000 rows tie, more than the 10000 of which qassay keeps all"
        );
    }
}
