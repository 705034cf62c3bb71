//! The assignment problem: rows and columns are paired one to one so that the sum of the weights is the greatest.
//!
//! Shortest augmenting paths (R. Jonker, A. Volgenant, 1987; for rectangles D. F. Crouse, 2016), one for each row of the
//! shorter side. Of several choices with the same sum it takes the one that `scipy.optimize.linear_sum_assignment` takes
//! with `maximize=True`: who counts the pairs, and not the sum alone, depends on that. Weights are floating point numbers
//! for that reason only: rounding decides there between sums that are equal as fractions, so it does here, by the same
//! operations in the same order.

use std::cmp::Ordering;

/// The weights of the pairs of one row that are not 0: column and weight, a number.
pub type WeightedRow = Vec<(usize, f64)>;

/// The pairs of row and column that are chosen: as many as the shorter side has, in order, some of weight 0.
pub fn assign(rows: &[WeightedRow], columns: usize) -> Vec<(usize, usize)> {
    if rows.len() <= columns {
        return AssignmentSearch::new(rows, columns).run();
    }
    let mut turned = vec![WeightedRow::new(); columns];
    for (at, row) in rows.iter().enumerate() {
        for &(column, weight) in row {
            turned[column].push((at, weight));
        }
    }
    let mut pairs: Vec<(usize, usize)> = AssignmentSearch::new(&turned, rows.len())
        .run()
        .into_iter()
        .map(|(column, row)| (row, column))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// The state of a search; there are at least as many columns as rows.
struct AssignmentSearch<'a> {
    rows: &'a [WeightedRow],
    /// The prices of the rows and of the columns.
    row_price: Vec<f64>,
    column_price: Vec<f64>,
    column_of: Vec<Option<usize>>,
    row_of: Vec<Option<usize>>,
    /// The row from which each column was reached, and how far that is.
    path: Vec<usize>,
    distance: Vec<f64>,
    /// The costs of one row: all 0 between two of them.
    costs: Vec<f64>,
}

/// Where a path ends, and what was seen on the way.
struct ShortestPath {
    end: usize,
    length: f64,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl<'a> AssignmentSearch<'a> {
    fn new(rows: &'a [WeightedRow], columns: usize) -> Self {
        Self {
            rows,
            row_price: vec![0.0; rows.len()],
            column_price: vec![0.0; columns],
            column_of: vec![None; rows.len()],
            row_of: vec![None; columns],
            path: vec![0; columns],
            distance: vec![f64::INFINITY; columns],
            costs: vec![0.0; columns],
        }
    }

    fn run(mut self) -> Vec<(usize, usize)> {
        for row in 0..self.rows.len() {
            let found = self.shortest_path(row);
            self.reprice(row, &found);
            self.turn(row, found.end);
        }
        let pairs = self.column_of.iter().enumerate();
        pairs.filter_map(|(row, column)| Some((row, (*column)?))).collect()
    }

    /// The shortest way from a row to a column that is free. Where several are as short, a free column ends it.
    fn shortest_path(&mut self, start: usize) -> ShortestPath {
        self.distance.fill(f64::INFINITY);
        // the last column first, so that equal weights give the pairs of the diagonal
        let mut open: Vec<usize> = (0..self.row_of.len()).rev().collect();
        let (mut row, mut length) = (start, 0.0);
        let (mut rows, mut columns) = (vec![start], Vec::new());
        loop {
            let at = self.nearest(row, length, &open);
            let column = open.swap_remove(at);
            length = self.distance[column];
            columns.push(column);
            match self.row_of[column] {
                None => return ShortestPath { end: column, length, rows, columns },
                Some(taken) => {
                    row = taken;
                    rows.push(taken);
                }
            }
        }
    }

    /// Looks at the open columns from a row, and gives the place of the nearest.
    fn nearest(&mut self, row: usize, length: f64, open: &[usize]) -> usize {
        for &(column, weight) in &self.rows[row] {
            self.costs[column] = -weight;
        }
        let (mut nearest, mut lowest) = (0, f64::INFINITY);
        for (at, &column) in open.iter().enumerate() {
            let reached = length + self.costs[column] - self.row_price[row] - self.column_price[column];
            if reached < self.distance[column] {
                self.path[column] = row;
                self.distance[column] = reached;
            }
            let distance = self.distance[column];
            let is_nearer = match distance.partial_cmp(&lowest) {
                Some(Ordering::Equal) => self.row_of[column].is_none(),
                order => order == Some(Ordering::Less),
            };
            if is_nearer {
                (nearest, lowest) = (at, distance);
            }
        }
        for &(column, _) in &self.rows[row] {
            self.costs[column] = 0.0;
        }
        nearest
    }

    fn reprice(&mut self, start: usize, found: &ShortestPath) {
        self.row_price[start] += found.length;
        for &row in found.rows.iter().filter(|row| **row != start) {
            let column = self.column_of[row].unwrap_or_default();
            self.row_price[row] += found.length - self.distance[column];
        }
        for &column in &found.columns {
            self.column_price[column] -= found.length - self.distance[column];
        }
    }

    /// Turns the path: what was chosen is not, what was not is.
    fn turn(&mut self, start: usize, end: usize) {
        let mut column = end;
        loop {
            let row = self.path[column];
            self.row_of[column] = Some(row);
            let before = self.column_of[row].replace(column);
            match before.filter(|_| row != start) {
                Some(before) => column = before,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sparse(weights: &[Vec<i32>]) -> Vec<WeightedRow> {
        let cells = |row: &Vec<i32>| row.clone().into_iter().map(f64::from).enumerate();
        let row = |row| cells(row).filter(|(_, weight)| *weight != 0.0).collect();
        weights.iter().map(row).collect()
    }

    fn sum(weights: &[Vec<i32>], pairs: &[(usize, usize)]) -> i32 {
        pairs.iter().map(|&(row, column)| weights[row][column]).sum()
    }

    /// The greatest sum by trying everything.
    fn greatest(weights: &[Vec<i32>], taken: &[usize]) -> i32 {
        let Some((first, rest)) = weights.split_first() else { return 0 };
        let with = |column: usize| first[column] + greatest(rest, &[taken, &[column]].concat());
        let free = (0..first.len()).filter(|column| !taken.contains(column));
        free.map(with).max().unwrap_or(0).max(greatest(rest, taken))
    }

    #[test]
    fn worked_by_hand() {
        assert_eq!(assign(&sparse(&[vec![1, 1], vec![1, 1]]), 2), [(0, 0), (1, 1)]);
        assert_eq!(assign(&sparse(&[vec![0, 0, 0], vec![0, 0, 0]]), 3), [(0, 0), (1, 1)]);
        assert_eq!(
            assign(&sparse(&[vec![4, 1, 3], vec![2, 0, 5], vec![3, 2, 2]]), 3),
            [(0, 0), (1, 2), (2, 1)]
        );
        assert_eq!(assign(&[], 3), []);
        assert_eq!(assign(&[vec![], vec![]], 0), []);
    }

    #[test]
    fn a_thousand_rows_that_are_alike() {
        let rows: Vec<WeightedRow> = (0..1000).map(|row| vec![(row, 2.0), ((row + 1) % 1000, 1.0)]).collect();
        let pairs = assign(&rows, 1000);
        assert!(pairs.iter().all(|(row, column)| row == column) && pairs.len() == 1000);
    }

    /// What `tests/second/assignment.py` had from scipy: rectangles both ways, many ties, shares of cells.
    #[test]
    fn the_pairs_are_those_of_scipy() {
        let mut compared = 0;
        for line in include_str!("../../tests/second/assignment.tsv").lines().skip(1) {
            let [_, weights, columns] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
            let weight = |text: &str| -> f64 {
                let (of, whole) = text.split_once('/').unwrap_or((text, "1"));
                of.parse::<f64>().expect("a number") / whole.parse::<f64>().expect("a number")
            };
            let row = |row: &str| -> WeightedRow {
                row.split(',').map(weight).enumerate().filter(|(_, weight)| *weight != 0.0).collect()
            };
            let rows: Vec<WeightedRow> = weights.split(';').map(row).collect();
            let width = weights.split(';').next().map_or(0, |row| row.split(',').count());
            let expected = columns.split(',').enumerate();
            let expected: Vec<(usize, usize)> =
                expected.filter_map(|(row, column)| Some((row, column.parse().ok()?))).collect();
            assert_eq!(assign(&rows, width), expected, "{line}");
            compared += 1;
        }
        assert_eq!(compared, 300);
    }

    /// All pairs have a weight, in both shapes.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test of the time that it takes")]
    fn a_thousand_by_a_thousand_in_time() {
        let rows: Vec<WeightedRow> = (0..1000u32)
            .map(|row| {
                (0..1000u32).map(|column| (column as usize, f64::from(1 + (row + column) % 3))).collect()
            })
            .collect();
        let start = std::time::Instant::now();
        let pairs = assign(&rows, 1000);
        let sum: f64 = pairs.iter().map(|&(row, column)| rows[row][column].1).sum();
        // of the remainders by 3, rows and columns have one more 0: 999 pairs of weight 3 leave one of weight 1
        assert!((sum - 2998.0).abs() < 0.5, "{sum}");
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }

    proptest! {
        #[test]
        fn the_sum_is_the_greatest(weights in (1usize..6, 1usize..6).prop_flat_map(|(rows, columns)| {
            prop::collection::vec(prop::collection::vec(0i32..4, columns), rows)
        })) {
            let columns = weights[0].len();
            let pairs = assign(&sparse(&weights), columns);
            prop_assert_eq!(pairs.len(), weights.len().min(columns));
            for side in [|pair: &(usize, usize)| pair.0, |pair: &(usize, usize)| pair.1] {
                let mut once: Vec<usize> = pairs.iter().map(side).collect();
                once.sort_unstable();
                once.dedup();
                prop_assert_eq!(once.len(), pairs.len());
            }
            prop_assert_eq!(sum(&weights, &pairs), greatest(&weights, &[]));
        }
    }
}
