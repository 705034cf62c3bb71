//! Rows that may meet in a part of their cells: stated by their cells, paired with the greatest sum of shares.

use oxigraph::model::Literal;

use crate::base::vocab::{code, qassay};
use crate::measures::sets::Counts;
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::scoring::block::Block;
use crate::scoring::cases::Case;
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::pairing::Match;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::{Reader, Setting, Sides};
use crate::scoring::rows::answer_row::{AnswerRow, has_rows, is_boolean, rows};
use crate::scoring::rows::shares::BothRows;
use crate::scoring::skip::{Party, Skip};
use crate::sparql::index::Index;

/// Items that are rows with cells.
#[derive(Default)]
pub(crate) struct RowReader {
    gold: Vec<Vec<AnswerRow>>,
    system: Vec<Vec<AnswerRow>>,
}

impl Reader for RowReader {
    fn read(&mut self, context: &Setting<'_>, block: &Block<'_>) -> Vec<Option<Skip>> {
        let reading = context.rules.reading;
        self.gold = block.iter().map(|case| rows(case.gold.question, reading, Party::Gold)).collect();
        self.system = block.iter().map(|case| of_system(reading, case)).collect();
        block.iter().map(|case| case.left_out.map(Skip::NotLoaded)).collect()
    }

    fn state(&mut self, context: &Setting<'_>, _: &Block<'_>, workspace: &mut Workspace) -> Sides {
        let rules = context.rules;
        let both = self.gold.iter().zip(&self.system);
        let whole: Vec<bool> =
            both.map(|(gold, system)| BothRows { gold, system }.are_whole(rules.pairing)).collect();
        let mut stated = RowStatements { workspace, rules, whole: &whole };
        let gold = stated.side(Party::Gold, &self.gold);
        let system = stated.side(Party::System, &self.system);
        Sides { gold, system }
    }

    fn choose(
        &self,
        context: &Setting<'_>,
        _: &Block<'_>,
        _: &Index,
        (position, found): (usize, Vec<Match>),
        sides: &mut Sides,
    ) -> QuestionMatch {
        let both = BothRows { gold: &self.gold[position], system: &self.system[position] };
        let (pairs, shares) = both.choose(context.rules.pairing, found);
        let gold = std::mem::take(&mut sides.gold.items[position]);
        let system = std::mem::take(&mut sides.system.items[position]);
        let count = |items: &[u32]| items.len() as u64;
        let counts = Counts { gold: count(&gold), system: count(&system), matched: pairs.len() as u64 };
        QuestionMatch { counts, gold, system, pairs, shares: Some(shares), ..QuestionMatch::default() }
    }
}

/// The rows that a system gives; none where there is no answer.
fn of_system(reading: Reading, case: Case<'_>) -> Vec<AnswerRow> {
    let Some(answer) = case.system else { return Vec::new() };
    let said = || has_rows(answer.question).filter(|_| is_boolean(case.gold.question));
    match said().filter(|_| reading == Reading::GraspRows) {
        Some(said) => vec![AnswerRow::of_boolean(said)],
        None => rows(answer.question, reading, Party::System),
    }
}

/// What is stated for the queries.
struct RowStatements<'a> {
    workspace: &'a mut Workspace,
    rules: &'a ExperimentRules,
    /// The questions whose rows are compared as wholes.
    whole: &'a [bool],
}

impl RowStatements<'_> {
    /// States the rows of one side: each is a node, since a table may have a row several times.
    fn side(&mut self, role: Party, all: &[Vec<AnswerRow>]) -> SideItems {
        let table = self.workspace.item_table(role, self.rules.reading);
        let mut side = SideItems { answers: self.workspace.answers(role).to_vec(), items: Vec::new() };
        for (position, rows) in all.iter().enumerate() {
            let answer = side.answers[position];
            let node = |row| answer.map(|answer| self.row((table, answer), row, position));
            side.items.push(rows.iter().filter_map(node).collect());
        }
        side
    }

    fn row(&mut self, (table, answer): (usize, u32), row: &AnswerRow, position: usize) -> u32 {
        let whole = self.whole[position];
        let node = self.workspace.item(row.meant());
        let index = &mut self.workspace.index;
        index.add(table, answer, node);
        let cells = index.table(&code::iri("role-keys"), qassay::ROW_CELL);
        // No cell is that of another question: what all tables have would pair all of their rows.
        let keys = if whole { vec![row.cells.join("\t")] } else { row.cells.clone() };
        for key in keys {
            let key = index.intern(Literal::new_simple_literal(format!("{position} {key}")));
            index.add(cells, node, key);
        }
        node
    }
}
