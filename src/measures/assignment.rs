//! The assignment problem: rows and columns are paired one to one so that the sum of the weights is the greatest.
//!
//! Shortest augmenting paths (R. Jonker, A. Volgenant, 1987; for rectangles D. F. Crouse, 2016), one for each row of the
//! shorter side. Of several choices with the same sum it takes the one that `scipy.optimize.linear_sum_assignment` takes,
//! where the weights are the same numbers: who counts the pairs, and not the sum alone, depends on that.

/// The weights of the pairs of one row that are not 0: column and weight.
pub type WeightedRow = Vec<(usize, i64)>;

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
    row_price: Vec<i64>,
    column_price: Vec<i64>,
    column_of: Vec<Option<usize>>,
    row_of: Vec<Option<usize>>,
    /// The row from which each column was reached, and how far that is.
    path: Vec<usize>,
    distance: Vec<i64>,
    /// The costs of one row: all 0 between two of them.
    costs: Vec<i64>,
}

/// Where a path ends, and what was seen on the way.
struct ShortestPath {
    end: usize,
    length: i64,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl<'a> AssignmentSearch<'a> {
    fn new(rows: &'a [WeightedRow], columns: usize) -> Self {
        Self {
            rows,
            row_price: vec![0; rows.len()],
            column_price: vec![0; columns],
            column_of: vec![None; rows.len()],
            row_of: vec![None; columns],
            path: vec![0; columns],
            distance: vec![i64::MAX; columns],
            costs: vec![0; columns],
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
        self.distance.fill(i64::MAX);
        // the last column first, so that equal weights give the pairs of the diagonal
        let mut open: Vec<usize> = (0..self.row_of.len()).rev().collect();
        let (mut row, mut length) = (start, 0);
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
    fn nearest(&mut self, row: usize, length: i64, open: &[usize]) -> usize {
        for &(column, weight) in &self.rows[row] {
            self.costs[column] = -weight;
        }
        let (mut nearest, mut lowest) = (0, i64::MAX);
        for (at, &column) in open.iter().enumerate() {
            let reached = length + self.costs[column] - self.row_price[row] - self.column_price[column];
            if reached < self.distance[column] {
                self.path[column] = row;
                self.distance[column] = reached;
            }
            let distance = self.distance[column];
            if distance < lowest || (distance == lowest && self.row_of[column].is_none()) {
                (nearest, lowest) = (at, distance);
            }
        }
        for &(column, _) in &self.rows[row] {
            self.costs[column] = 0;
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

    fn sparse(weights: &[Vec<i64>]) -> Vec<WeightedRow> {
        let row =
            |row: &Vec<i64>| row.iter().copied().enumerate().filter(|(_, weight)| *weight != 0).collect();
        weights.iter().map(row).collect()
    }

    fn sum(weights: &[Vec<i64>], pairs: &[(usize, usize)]) -> i64 {
        pairs.iter().map(|&(row, column)| weights[row][column]).sum()
    }

    /// The greatest sum by trying everything.
    fn greatest(weights: &[Vec<i64>], taken: &[usize]) -> i64 {
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
        let rows: Vec<WeightedRow> = (0..1000).map(|row| vec![(row, 2), ((row + 1) % 1000, 1)]).collect();
        let pairs = assign(&rows, 1000);
        assert!(pairs.iter().all(|(row, column)| row == column) && pairs.len() == 1000);
    }

    proptest! {
        #[test]
        fn the_sum_is_the_greatest(weights in (1usize..6, 1usize..6).prop_flat_map(|(rows, columns)| {
            prop::collection::vec(prop::collection::vec(0i64..4, columns), rows)
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
