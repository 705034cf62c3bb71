//! Days as Java's lenient `GregorianCalendar` counts them.
//!
//! Not by jiff: before 1582-10-15 Java counts in the Julian calendar, and it has more years.

/// The year of the change to the Gregorian calendar: 4 October is followed by 15 October.
const YEAR_OF_REFORM: i64 = 1582;

/// Which years are leap years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calendar {
    Julian,
    Gregorian,
}

/// Year, month and day after the overflow of months and days into the larger units; year 0 is 1 BC.
pub(crate) fn normalised(year: i64, month: i64, day: i64) -> (i64, i64, i64) {
    let written_as_julian = year < YEAR_OF_REFORM;
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    let number = |calendar: Calendar| calendar.day_number(year, month) + day - 1;
    let reform = Calendar::Gregorian.day_number(YEAR_OF_REFORM, 10) + 14;
    let gregorian = number(Calendar::Gregorian);
    // Java looks at the year as it is written, before the months overflow
    let number = if written_as_julian || gregorian < reform { number(Calendar::Julian) } else { gregorian };
    if number >= reform { Calendar::Gregorian.date(number) } else { Calendar::Julian.date(number) }
}

impl Calendar {
    /// The number of the first day of a year that starts in March, the first of Gregorian year 0 being 0.
    fn first_of_march(self, year: i64) -> i64 {
        let centuries = match self {
            // the calendars agree in the third century
            Self::Julian => 2,
            Self::Gregorian => year.div_euclid(100) - year.div_euclid(400),
        };
        365 * year + year.div_euclid(4) - centuries
    }

    /// The number of the first day of a month, 1 to 12.
    fn day_number(self, year: i64, month: i64) -> i64 {
        let year = if month < 3 { year - 1 } else { year };
        self.first_of_march(year) + days_since_march((month + 9) % 12)
    }

    fn date(self, number: i64) -> (i64, i64, i64) {
        // too low for times after year 0, too high before; refined until it holds
        let mut year = number.div_euclid(366);
        while self.first_of_march(year + 1) <= number {
            year += ((number - self.first_of_march(year + 1)) / 366).max(1);
        }
        while self.first_of_march(year) > number {
            year -= 1;
        }
        let rest = number - self.first_of_march(year);
        let month = (5 * rest + 2) / 153;
        let day = rest - days_since_march(month) + 1;
        if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
    }
}

/// The days before a month that is counted from March on.
fn days_since_march(month: i64) -> i64 {
    (153 * month + 2) / 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_dates() {
        // each as OpenJDK 17 says
        let cases = [
            ((1990, 1, 5), (1990, 1, 5)),
            ((1990, 13, 1), (1991, 1, 1)),
            ((1990, -1, 5), (1989, 11, 5)),
            ((1990, 1, -5), (1989, 12, 26)),
            ((1990, 0, 0), (1989, 11, 30)),
            ((1582, 10, 10), (1582, 10, 20)),
            ((1582, 10, 4), (1582, 10, 4)),
            ((1582, 10, 15), (1582, 10, 15)),
            ((1500, 2, 29), (1500, 2, 29)),
            ((1990, 1, 99999), (2263, 10, 15)),
            ((1990, 99999, 1), (10323, 3, 1)),
            ((0, 1, 1), (0, 1, 1)),
            ((1, 1, 0), (0, 12, 31)),
            ((1581, 20, 2601), (1589, 9, 23)),
        ];
        for ((year, month, day), expected) in cases {
            assert_eq!(normalised(year, month, day), expected, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn days_of_both_calendars_stay() {
        for year in -2000..3000 {
            for month in 1..=12 {
                for day in [1, 28] {
                    assert_eq!(normalised(year, month, day), (year, month, day));
                }
            }
        }
    }
}
