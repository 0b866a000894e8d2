//! What a store tells of itself to a person who asks whether it can be trusted with counters.

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnosis {
    /// What the store is, by name: `server`, `role`, `persistence`.
    pub facts: Vec<(String, String)>,
    /// What that means.
    pub findings: Vec<Finding>,
}

/// One thing that is well or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// What was found.
    pub what: String,
    /// What to change; empty where there is nothing to.
    pub advice: String,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// As it should be.
    Ok,
    /// Could be better.
    Advice,
    /// Ids may be lost or repeated.
    Danger,
}

impl Level {
    /// The level as the addon and the command line name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Advice => "advice",
            Self::Danger => "danger",
        }
    }
}

impl Diagnosis {
    /// Adds a fact.
    pub fn fact(&mut self, name: &str, value: impl ToString) {
        self.facts.push((name.to_owned(), value.to_string()));
    }

    /// Adds something that is as it should be.
    pub fn ok(&mut self, what: impl Into<String>) {
        self.add(Level::Ok, what, "");
    }

    /// Adds something that could be better, and how.
    pub fn advise(&mut self, what: impl Into<String>, advice: impl Into<String>) {
        self.add(Level::Advice, what, advice);
    }

    /// Adds something that may lose or repeat ids, and what to do.
    pub fn warn(&mut self, what: impl Into<String>, advice: impl Into<String>) {
        self.add(Level::Danger, what, advice);
    }

    fn add(&mut self, level: Level, what: impl Into<String>, advice: impl Into<String>) {
        self.findings.push(Finding {
            level,
            what: what.into(),
            advice: advice.into(),
        });
    }
}
