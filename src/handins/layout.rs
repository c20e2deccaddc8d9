//! How the web sites of courses call what they give to a professor: whose it is, and what the student called it.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::encoding;
use super::unpack::stem;

/// What a name says that a course's web site has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission<'a> {
    /// The student or group, as the web site writes it.
    pub owner: &'a str,
    /// The number that tells it from others of the same name; empty if there is none.
    pub number: &'a str,
    /// What the student called the file; nothing if it is a folder of files.
    pub file: Option<&'a str>,
    /// What it is.
    pub part: Part,
    /// When it was handed in, where a student may do so several times.
    pub attempt: Option<&'a str>,
}

/// What a file or folder is in a student's submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What was handed in.
    Files,
    /// What was typed into a field of the web site.
    OnlineText,
    /// What the web site says about it.
    Receipt,
    /// What the professor answered.
    Feedback,
}

/// A way in which a web site calls what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Moodle's.
    Moodle,
    /// Blackboard's.
    Blackboard,
    /// Canvas's.
    Canvas,
    /// Gradescope's.
    Gradescope,
    /// Classroom's, which has no numbers: see [`dashed`].
    Classroom,
}

impl Layout {
    const ALL: [Layout; 5] =
        [Layout::Moodle, Layout::Blackboard, Layout::Canvas, Layout::Gradescope, Layout::Classroom];

    /// The one that most of these names follow, which are all of a folder; nothing if none does. Students choose a part of most names,
    /// and who could make one name of a folder look like another web site's could hand in as somebody else.
    pub fn of_most<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<Layout> {
        let count = |layout: Layout| names.clone().filter(|name| layout.is_followed_by(name)).count();
        // Of equal numbers the first counts: `max_by_key` would take the last.
        let counts = Layout::ALL.into_iter().rev().map(|layout| (layout, count(layout)));
        counts.filter(|(_, count)| *count > 0).max_by_key(|(_, count)| *count).map(|(layout, _)| layout)
    }

    fn is_followed_by(self, name: &str) -> bool {
        match self {
            Layout::Classroom => dashed(name).is_some(),
            _ => self.read(name).is_some(),
        }
    }

    /// What the name of a file or folder says, if it is called so.
    pub fn read(self, name: &str) -> Option<Submission<'_>> {
        match self {
            Layout::Moodle => moodle(name),
            Layout::Blackboard => blackboard(name),
            Layout::Canvas => canvas(name),
            // Its folders may have become archives.
            Layout::Gradescope => gradescope(name).or_else(|| gradescope(stem(name))),
            Layout::Classroom => None,
        }
    }
}

impl<'a> Submission<'a> {
    /// What the name of a file or folder says, if any web site could have called it so: enough to know where hand-ins are, not whose.
    pub fn of_any(name: &'a str) -> Option<Submission<'a>> {
        Layout::ALL.into_iter().find_map(|layout| layout.read(name))
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn not_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// `Ana Silva_12345_assignsubmission_file_`, and the file's name behind it if all are in one folder.
fn moodle(name: &str) -> Option<Submission<'_>> {
    let (before, after, is_feedback) = match name.split_once("_assignsubmission_") {
        Some((before, after)) => (before, after, false),
        None => name.split_once("_assignfeedback_").map(|(before, after)| (before, after, true))?,
    };
    let (owner, number) =
        before.rsplit_once('_').filter(|(_, number)| is_number(number)).unwrap_or((before, ""));
    let (plugin, file) = after.split_once('_').unwrap_or((after, ""));
    let part = match plugin {
        _ if is_feedback => Part::Feedback,
        "onlinetext" => Part::OnlineText,
        "comments" => Part::Receipt,
        _ => Part::Files,
    };
    Some(Submission { owner: not_empty(owner)?, number, file: not_empty(file), part, attempt: None })
}

/// `EP5_asilva_attempt_2026-11-02-23-59-59_ep5.zip`, and the same with `.txt` behind the time.
fn blackboard(name: &str) -> Option<Submission<'_>> {
    const TIME: usize = "2026-11-02-23-59-59".len();
    let (before, after) = name.split_once("_attempt_")?;
    let (_, owner) = before.rsplit_once('_')?;
    let (time, rest) = after.split_at_checked(TIME)?;
    if !time.split('-').all(is_number) {
        return None;
    }
    let file = rest.strip_prefix('_').and_then(not_empty);
    let part = if file.is_some() { Part::Files } else { Part::Receipt };
    Some(Submission { owner: not_empty(owner)?, number: "", file, part, attempt: Some(time) })
}

/// `silvaana_12345_67890_ep5.zip`, with `LATE_` behind the name of those who were late.
fn canvas(name: &str) -> Option<Submission<'_>> {
    let (owner, rest) = name.split_once('_')?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let mut parts = rest.splitn(3, '_');
    let (number, submission, file) = (parts.next()?, parts.next()?, parts.next()?);
    if owner.is_empty() || !is_number(number) || !is_number(submission) {
        return None;
    }
    let part = if file == "text.html" { Part::OnlineText } else { Part::Files };
    Some(Submission { owner, number, file: not_empty(file), part, attempt: None })
}

/// `submission_123456`. Who that is stands in a file beside it.
fn gradescope(name: &str) -> Option<Submission<'_>> {
    let number = name.strip_prefix("submission_").filter(|number| is_number(number))?;
    Some(Submission { owner: name, number, file: None, part: Part::Files, attempt: None })
}

/// The name of a student's file in front of the student's own: `Ana Silva - ep5.zip`, as Classroom's folders have it.
pub fn dashed(name: &str) -> Option<(&str, &str)> {
    name.split_once(" - ").filter(|(before, after)| !before.trim().is_empty() && !after.trim().is_empty())
}

/// What the student called a file that lies in a folder of this layout.
pub fn own_name(name: &str, layout: Option<Layout>) -> String {
    let own = match layout {
        Some(Layout::Classroom) => dashed(name).map(|(_, own)| own),
        _ => layout.and_then(|layout| layout.read(name)?.file),
    };
    own.unwrap_or(name).to_owned()
}

/// The name of a file or folder as text, however it is encoded.
pub fn file_name(path: &Path) -> String {
    encoding::name(path.file_name().unwrap_or_default().as_bytes())
}

/// The names of Gradescope's submissions, from the file that it puts beside them: `submission_123456` and who handed it in.
pub fn gradescope_names(metadata: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_list = false;
    for line in metadata.lines() {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim().trim_start_matches("- ").trim_start();
        if indent == 0 && !line.starts_with('-') {
            found.extend(line.strip_suffix(':').map(|key| (key.to_owned(), Vec::new())));
        } else if indent <= 2 && !line.trim_start().starts_with("- ") {
            // A submission has one list of people; its history may have more of them, deeper down.
            is_list = text == ":submitters:";
        } else if is_list
            && let (Some(name), Some((_, names))) = (text.strip_prefix(":name:"), found.last_mut())
        {
            names.push(name.trim().trim_matches(['\'', '"']).replace("''", "'"));
        }
    }
    found.retain(|(_, names)| !names.is_empty());
    found.into_iter().map(|(key, names)| (key, names.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_web_sites_are_understood() {
        for (name, owner, number, file, part) in [
            ("Ana Silva_12345_assignsubmission_file_", "Ana Silva", "12345", None, Part::Files),
            ("Ana Silva_12345_assignsubmission_file", "Ana Silva", "12345", None, Part::Files),
            ("D'Ávila_Jr_7_assignsubmission_file_my_bot.c", "D'Ávila_Jr", "7", Some("my_bot.c"), Part::Files),
            (
                "Ana_1_assignsubmission_onlinetext_onlinetext.html",
                "Ana",
                "1",
                Some("onlinetext.html"),
                Part::OnlineText,
            ),
            ("Ana_1_assignfeedback_file_notes.pdf", "Ana", "1", Some("notes.pdf"), Part::Feedback),
            ("silvaana_12345_67890_ep_5.zip", "silvaana", "12345", Some("ep_5.zip"), Part::Files),
            ("silvaana_LATE_12345_67890_ep5.zip", "silvaana", "12345", Some("ep5.zip"), Part::Files),
            ("EP5_asilva_attempt_2026-11-02-23-59-59_ep5.zip", "asilva", "", Some("ep5.zip"), Part::Files),
            ("EP5_asilva_attempt_2026-11-02-23-59-59.txt", "asilva", "", None, Part::Receipt),
            ("submission_2001", "submission_2001", "2001", None, Part::Files),
        ] {
            let read = Submission::of_any(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(
                (read.owner, read.number, read.file, read.part),
                (owner, number, file, part),
                "{name}"
            );
        }
        for name in
            ["Ana Silva.zip", "ana_silva_ep5.zip", "a_1_x.c", "submission_x", "bot_attempt_1.c", "_1_2_x"]
        {
            assert_eq!(Submission::of_any(name), None, "{name}");
        }
        let own = |name: &str, layout| own_name(name, Some(layout));
        assert_eq!(own("Ana Silva - my - bot.c", Layout::Classroom), "my - bot.c");
        assert_eq!(own("submission_2001", Layout::Gradescope), "submission_2001");
        let forged = "ana_1_2_x_beto_attempt_2026-11-02-23-59-59_c.py";
        assert_eq!(own(forged, Layout::Canvas), "x_beto_attempt_2026-11-02-23-59-59_c.py");
        assert_eq!(own_name("a_1_2_b.c", None), "a_1_2_b.c");
    }

    #[test]
    fn a_folder_has_the_layout_of_most_names_in_it() {
        let of = |names: &[&str]| Layout::of_most(names.iter().copied());
        let forged = "ana_1_2_x_beto_attempt_2026-11-02-23-59-59_x.py";
        assert_eq!(of(&[forged, "beto_3_4_x.py"]), Some(Layout::Canvas));
        assert_eq!(
            of(&["Ana - x_beto_attempt_2026-11-02-23-59-59_x.py", "Beto - x.py"]),
            Some(Layout::Classroom)
        );
        assert_eq!(of(&["EP 5_7_8_attempt_2026-11-02-23-59-59_x.py"]), Some(Layout::Blackboard));
        assert_eq!(of(&["submission_1", "submission_2.zip", "x.py"]), Some(Layout::Gradescope));
        assert_eq!(of(&["x.py"]), None);
    }

    #[test]
    fn gradescope_says_who_handed_in() {
        let metadata = "---\nsubmission_2001:\n  :submitters:\n  - :name: Ana D''Ávila\n    :sid: '1'\n    :email: a@x.org\n  \
                        - :name: 'Beto Reis'\n  :created_at: 2026-11-02\n  :history:\n  - :submitters:\n    - :name: Old\n\
                        submission_2002:\n  :submitters:\n  - :name: \"Caio\"\nsubmission_2003:\n  :score: 1\n";
        let named = |key: &str, name: &str| (key.to_owned(), name.to_owned());
        assert_eq!(
            gradescope_names(metadata),
            [named("submission_2001", "Ana D'Ávila, Beto Reis"), named("submission_2002", "Caio")]
        );
    }
}
