//! What the value of an option may be, and what holds without one.

/// What the value of an option may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// On the scale of ids: a bigint or a safe integer.
    Id {
        /// The smallest value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// A number of ids: a safe integer.
    Count {
        /// The smallest value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// A number of something else: a safe integer.
    Number {
        /// The smallest value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// Two numbers, `[lowest, highest]`.
    Span {
        /// The smallest value of either.
        least: u64,
        /// The largest value of either.
        most: u64,
    },
    /// A time in whole milliseconds.
    Millis {
        /// The smallest value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// `true` or `false`.
    Flag,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Text, with rules of its own.
    Text,
    /// What is demanded before a range is served: `none`, `disk`, or a number of replicas.
    Durability,
    /// An object of options: those of the scope that has this option's name.
    Options,
    /// `jsSafe`, or an object of options: those of the scope that has this option's name.
    Layout,
    /// An object of JavaScript, which never comes further; said in words.
    Object(&'static str),
}

impl Kind {
    /// The kind as the addon and the docs name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Id { .. } => "id",
            Self::Count { .. } => "count",
            Self::Number { .. } => "number",
            Self::Span { .. } => "span",
            Self::Millis { .. } => "ms",
            Self::Flag => "flag",
            Self::Choice(_) => "choice",
            Self::Text => "text",
            Self::Durability => "durability",
            Self::Options => "options",
            Self::Layout => "layout",
            Self::Object(_) => "object",
        }
    }

    /// The smallest and the largest value, for kinds that have them.
    pub fn bounds(self) -> Option<(u64, u64)> {
        match self {
            Self::Id { least, most }
            | Self::Count { least, most }
            | Self::Number { least, most }
            | Self::Span { least, most }
            | Self::Millis { least, most } => Some((least, most)),
            Self::Flag
            | Self::Choice(_)
            | Self::Text
            | Self::Durability
            | Self::Options
            | Self::Layout
            | Self::Object(_) => None,
        }
    }

    /// The words of a choice; none for other kinds.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Choice(words) => words,
            _ => &[],
        }
    }

    /// What is accepted, as a message says it.
    pub fn expected(self) -> String {
        match self {
            Self::Id { least, most } => {
                format!("expected a bigint or a safe integer from {least} to {most}")
            }
            Self::Count { least, most } | Self::Number { least, most } => {
                format!("expected an integer from {least} to {most}")
            }
            Self::Span { least, most } => {
                format!("expected [lowest, highest], two integers from {least} to {most}")
            }
            Self::Millis { least, most } => {
                format!("expected whole milliseconds from {least} to {most}")
            }
            Self::Flag => "expected true or false".to_owned(),
            Self::Choice(words) => format!("expected one of {}", words.join(", ")),
            Self::Text => "expected text".to_owned(),
            Self::Durability => {
                "expected \"none\", \"disk\" or { replicas: n } with n from 1 to 100".to_owned()
            }
            Self::Options => "expected an object of options".to_owned(),
            Self::Layout => "expected \"jsSafe\" or an object of options".to_owned(),
            Self::Object(what) => format!("expected {what}"),
        }
    }
}

/// What holds when an option is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// A fixed number, count or time in ms.
    Number(u64),
    /// A fixed answer.
    Flag(bool),
    /// A fixed word.
    Word(&'static str),
    /// Something that depends on other options, said in words.
    Derived(&'static str),
    /// Nothing: the option is then off.
    Off,
    /// Nothing: an argument that must be given.
    Required,
}

impl std::fmt::Display for Fallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Word(word) | Self::Derived(word) => f.write_str(word),
            Self::Off => f.write_str("none"),
            Self::Required => f.write_str("required"),
        }
    }
}
