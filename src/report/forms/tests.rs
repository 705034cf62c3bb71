//! All forms of one record, and of records whose texts try to be something else.
