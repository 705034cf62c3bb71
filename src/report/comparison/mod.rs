//! Comparisons as tables and as JSON: who is better, by how much, and could it be chance.

mod absent;
pub mod across;
pub mod groups;
pub mod json;
pub mod matrix;
pub mod page;
pub mod pairs;
pub mod parts;
pub mod risk;
pub mod shown;
pub mod systems;
pub mod together;
