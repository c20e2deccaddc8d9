//! A game that is stepped through, on a terminal of any size: nothing is wider or higher than it.

use super::fit::{Size, cut, wrap};
use super::terminal::{Canvas, Window};

/// What there is to be seen of a game after a ply.
pub struct Scene {
    /// Which game it is, in a line.
    pub header: String,
    /// The move that led here, in a line.
    pub caption: String,
    /// What somebody wrote about it.
    pub comment: String,
    /// How the game ended, where it has.
    pub ending: String,
    /// What the letters on the board mean.
    pub legend: &'static str,
    /// The board.
    pub canvas: Canvas,
    /// The position before the first ply, and every ply, a line for each.
    pub moves: Vec<String>,
    /// Which of these it is.
    pub ply: usize,
}

/// What is shown between the caption and the footer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// The board, and the moves beside it if there is room.
    #[default]
    Board,
    /// The list of moves.
    Moves,
    /// All words there are: comment and ending.
    Words,
    /// The keys.
    Keys,
}

/// How it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// What is shown.
    pub panel: Panel,
    /// The first column and row of the panel to be seen; without them, the last move is.
    pub corner: Option<(usize, usize)>,
    /// The size of the terminal.
    pub size: Size,
    /// Whether it has colours.
    pub colour: bool,
}

/// The lines of a screen.
pub struct Screen {
    /// The lines, at most as many as there are rows.
    pub lines: Vec<String>,
    /// The first column and row of the panel that are seen.
    pub corner: (usize, usize),
    /// Whether there is more of the panel than is seen.
    pub is_cut: bool,
}

/// The fewest columns in which a list of moves is of use.
const LIST_WIDTH: usize = 20;
/// More columns than a line of the list needs.
const WIDEST_LIST: usize = 36;
/// Blanks between the board and the list.
const GAP: usize = 2;

/// The screen, with what the keys do, if that is asked for, and a line at its end.
pub fn screen(scene: &Scene, look: Look, keys: &[&str], footer: &str) -> Screen {
    let Look { panel, corner, size, colour } = look;
    let (width, room) = (size.columns, size.rows.saturating_sub(3));
    let body = match panel {
        Panel::Board => board_panel(scene, corner, Size { columns: width, rows: room }, colour),
        Panel::Moves => {
            text_panel(&scene.moves, corner.or(Some((0, scene.ply.saturating_sub(room / 2)))), room)
        }
        Panel::Words => text_panel(&words(scene, width), corner, room),
        Panel::Keys => {
            text_panel(&keys.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(), corner, room)
        }
    };
    let mut lines = vec![cut(&scene.header, width), cut(&scene.caption, width)];
    lines.extend(body.lines.into_iter().map(|line| cut(&line, width)));
    lines.truncate(size.rows.saturating_sub(1));
    lines.resize(size.rows.saturating_sub(1), String::new());
    let scroll = if body.is_cut { "  wasd scroll" } else { "" };
    lines.push(cut(&format!("{footer}{scroll}"), width));
    Screen { lines, corner: body.corner, is_cut: body.is_cut }
}

/// Everything that is said of this position.
fn words(scene: &Scene, width: usize) -> Vec<String> {
    let texts = [&scene.caption, &scene.comment, &scene.ending].into_iter().filter(|text| !text.is_empty());
    let legend = wrap(scene.legend, width);
    let mut lines: Vec<String> =
        texts.flat_map(|text| [wrap(text, width), vec![String::new()]].concat()).collect();
    lines.extend(legend);
    lines
}

fn text_panel(lines: &[String], corner: Option<(usize, usize)>, room: usize) -> Screen {
    let last = lines.len().saturating_sub(room);
    let top = corner.map_or(0, |(_, top)| top).min(last);
    let lines = lines.iter().skip(top).take(room).cloned().collect();
    Screen { lines, corner: (0, top), is_cut: last > 0 }
}

/// The comment above the board, the ending below it, and the moves beside it, as far as there is room. A third of the room is
/// theirs even if the board is then seen in part only.
fn board_panel(scene: &Scene, corner: Option<(usize, usize)>, room: Size, colour: bool) -> Screen {
    let (board_columns, board_rows) = scene.canvas.size();
    let for_words = room.rows.saturating_sub(board_rows).max(room.rows / 3);
    let ending = shown(&scene.ending, room.columns, for_words);
    let comment = shown(&scene.comment, room.columns, for_words - ending.len());
    let mut above = comment;
    if above.len() + ending.len() + board_rows < room.rows {
        above.insert(0, scene.legend.to_owned());
    }
    let rows = room.rows - above.len() - ending.len();
    let list_room = room.columns.saturating_sub(board_columns + GAP);
    let has_list = list_room >= LIST_WIDTH;
    let window = window(&scene.canvas, corner, Size { columns: room.columns, rows });
    let mut board = scene.canvas.show(window, colour);
    if has_list {
        board.resize(rows, String::new());
        let top = scene.ply.saturating_sub(rows / 2).min(scene.moves.len().saturating_sub(rows));
        for (line, mv) in board.iter_mut().zip(scene.moves.iter().skip(top)) {
            let blanks = (board_columns + GAP).saturating_sub(console::measure_text_width(line));
            *line = format!("{line}{}{}", " ".repeat(blanks), cut(mv, list_room.min(WIDEST_LIST)));
        }
    }
    let is_cut = board_columns > room.columns || board_rows > rows;
    Screen { lines: [above, board, ending].concat(), corner: (window.left, window.top), is_cut }
}

/// A text in so many lines; where it is longer, the last of them says so.
fn shown(text: &str, width: usize, rows: usize) -> Vec<String> {
    let mut lines = wrap(text, width);
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            *last = cut(last, width.saturating_sub(12)) + " … (i: more)";
        }
    }
    lines
}

/// The part of the board that is seen.
fn window(canvas: &Canvas, corner: Option<(usize, usize)>, room: Size) -> Window {
    let (columns, rows) = canvas.size();
    // The last move in the middle.
    let around_last = || {
        canvas
            .last()
            .map(|(column, row)| (column.saturating_sub(room.columns / 2), row.saturating_sub(room.rows / 2)))
    };
    let (left, top) = corner.or_else(around_last).unwrap_or_default();
    Window {
        left: left.min(columns.saturating_sub(room.columns)),
        top: top.min(rows.saturating_sub(room.rows)),
        columns: room.columns,
        rows: room.rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::hex::Hex;

    fn scene(size: u8, words: &str) -> Scene {
        let mut game = Hex::new(size);
        game.play(&format!("{0} {0}", size - 1)).unwrap();
        let picture = game.picture();
        Scene {
            header: format!("game 1, hex: {words}"),
            caption: format!("ply 1 of 300: {words}"),
            comment: words.to_owned(),
            ending: words.to_owned(),
            legend: picture.layout.legend,
            canvas: Canvas::of(&picture),
            moves: (0..300).map(|ply| format!("{ply:>4} {words}")).collect(),
            ply: 1,
        }
    }

    #[test]
    fn every_screen_fits_and_shows_the_last_move() {
        let long = "学生たち a-very-long-word-that-is-wider-than-any-terminal-of-forty-columns ".repeat(20);
        for (board, words) in [(2, ""), (14, "ana – beto"), (14, &long), (26, "x"), (26, &long)] {
            let scene = scene(board, words);
            for (columns, rows) in [(80, 24), (40, 12), (200, 60), (20, 6), (8, 3), (1, 1), (0, 0)] {
                for panel in [Panel::Board, Panel::Moves, Panel::Words, Panel::Keys] {
                    for corner in [None, Some((7, 9)), Some((9999, 9999))] {
                        let size = Size { columns, rows };
                        let keys = ["q  quit"; 30];
                        let look = Look { panel, corner, size, colour: true };
                        let screen = screen(&scene, look, &keys, "? keys  q quit");
                        assert!(screen.lines.len() <= rows.max(1), "{board} {columns}×{rows} {panel:?}");
                        for line in &screen.lines {
                            assert!(console::measure_text_width(line) <= columns, "{columns}: '{line}'");
                        }
                        let all = console::strip_ansi_codes(&screen.lines.join("\n")).into_owned();
                        if panel == Panel::Board && corner.is_none() && rows >= 12 {
                            assert!(all.contains("[b]"), "{board} on {columns}×{rows}:\n{all}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_board_of_14_fits_the_usual_terminal_with_its_moves() {
        let scene = scene(14, "ana");
        let size = Size { columns: 80, rows: 24 };
        let look = Look { panel: Panel::Board, corner: None, size, colour: false };
        let screen = screen(&scene, look, &[], "");
        assert!(!screen.is_cut);
        assert!(screen.lines.iter().any(|line| line.ends_with("  10 ana")), "{}", screen.lines.join("\n"));
    }
}
