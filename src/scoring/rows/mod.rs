//! Items that are rows and may meet in a part of their cells (SPINACH, GRASP).

pub mod answer_row;
pub mod reader;
pub mod shares;
