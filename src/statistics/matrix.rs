//! What systems have in the questions that all of them have, in an order that does not depend on who asks; and which
//! questions belong together.

use std::collections::{BTreeMap, BTreeSet};

/// A cell for each system and each question that all systems have: systems by name, questions by id, both as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionMatrix<T> {
    systems: Vec<String>,
    questions: Vec<String>,
    left_out: Vec<String>,
    rows: Vec<Vec<T>>,
}

impl<T> QuestionMatrix<T> {
    /// Of what each system has, by the ids of its questions.
    pub fn of(systems: BTreeMap<String, BTreeMap<String, T>>) -> Self {
        let all: BTreeSet<&String> = systems.values().flat_map(BTreeMap::keys).collect();
        let is_common = |id: &&String| systems.values().all(|cells| cells.contains_key(*id));
        let (questions, left_out): (Vec<String>, Vec<String>) = {
            let (common, others): (Vec<&String>, Vec<&String>) = all.into_iter().partition(is_common);
            (common.into_iter().cloned().collect(), others.into_iter().cloned().collect())
        };
        let common: BTreeSet<&String> = questions.iter().collect();
        let row = |cells: BTreeMap<String, T>| {
            cells.into_iter().filter(|(id, _)| common.contains(id)).map(|(_, cell)| cell).collect()
        };
        let (systems, rows) = systems.into_iter().map(|(name, cells)| (name, row(cells))).unzip();
        Self { systems, questions, left_out, rows }
    }

    /// The names of the systems, in the order of the rows.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// The ids of the questions, in the order of the cells.
    pub fn questions(&self) -> &[String] {
        &self.questions
    }

    /// The ids of the questions that some systems have and others have not.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// What the systems have, a row each.
    pub fn rows(&self) -> &[Vec<T>] {
        &self.rows
    }

    /// The cells of a question, system by system.
    pub fn column(&self, question: usize) -> impl Iterator<Item = &T> {
        self.rows.iter().filter_map(move |row| row.get(question))
    }

    /// Without the systems at some positions; questions stay as they are.
    #[must_use]
    pub fn without(&self, systems: &BTreeSet<usize>) -> Self
    where
        T: Clone,
    {
        let kept: Vec<usize> = (0..self.systems.len()).filter(|system| !systems.contains(system)).collect();
        Self {
            systems: kept.iter().map(|system| self.systems[*system].clone()).collect(),
            questions: self.questions.clone(),
            left_out: self.left_out.clone(),
            rows: kept.iter().map(|system| self.rows[*system].clone()).collect(),
        }
    }

    /// Something else in each cell.
    pub fn map<U>(&self, mut change: impl FnMut(&T) -> U) -> QuestionMatrix<U> {
        QuestionMatrix {
            systems: self.systems.clone(),
            questions: self.questions.clone(),
            left_out: self.left_out.clone(),
            rows: self.rows.iter().map(|row| row.iter().map(&mut change).collect()).collect(),
        }
    }
}

/// Questions that belong together, as one question in several languages: they are resampled and exchanged together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustering {
    /// By cluster, in order of their names, the positions of its questions.
    members: Vec<Vec<usize>>,
}

impl Clustering {
    /// Of the name of the cluster of each question, in their order.
    pub fn by<S: AsRef<str>>(names: &[S]) -> Self {
        let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (question, name) in names.iter().enumerate() {
            members.entry(name.as_ref()).or_default().push(question);
        }
        Self { members: members.into_values().collect() }
    }

    /// Each question for itself.
    pub fn single(questions: usize) -> Self {
        Self { members: (0..questions).map(|question| vec![question]).collect() }
    }

    /// By cluster the positions of its questions.
    pub fn members(&self) -> &[Vec<usize>] {
        &self.members
    }

    /// Whether no cluster has two questions.
    pub fn is_single(&self) -> bool {
        self.members.iter().all(|members| members.len() == 1)
    }
}

/// What a question has in common with its variants: its id before the last `-`; the id where there is none.
pub fn variant_cluster(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(cluster, _)| cluster)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &[(&str, u8)]) -> BTreeMap<String, u8> {
        cells.iter().map(|(id, cell)| ((*id).to_owned(), *cell)).collect()
    }

    #[test]
    fn questions_and_systems_stand_in_the_order_of_their_bytes() {
        let one = cells(&[("1", 1), ("10", 10), ("2", 2), ("é", 5), ("z", 4)]);
        let other = cells(&[("z", 40), ("10", 100), ("3", 30), ("é", 50), ("1", 9)]);
        let systems = [("b".to_owned(), one), ("B".to_owned(), other)];
        let matrix = QuestionMatrix::of(systems.into());
        assert_eq!(
            (matrix.systems(), matrix.questions()),
            (&["B", "b"].map(str::to_owned)[..], &["1", "10", "z", "é"].map(str::to_owned)[..])
        );
        assert_eq!(matrix.left_out(), ["2", "3"]);
        assert_eq!(matrix.rows(), [[9, 100, 40, 50], [1, 10, 4, 5]]);
        assert!(matrix.column(1).eq(&[100, 10]));
        assert_eq!(matrix.map(|cell| cell % 2 == 0).rows()[1], [false, true, true, false]);
        assert_eq!(QuestionMatrix::<u8>::of(BTreeMap::new()).questions(), [""; 0]);
    }

    #[test]
    fn variants_are_one_cluster() {
        let ids = ["db25:2-en", "db25:14-en", "db25:14-es", "7"];
        let clusters = Clustering::by(&ids.map(variant_cluster));
        assert_eq!(clusters.members(), [vec![3], vec![1, 2], vec![0]]);
        assert!(!clusters.is_single());
        assert!(Clustering::single(3).is_single() && Clustering::single(3).members().len() == 3);
    }
}
