//! Boards as drawings: one SVG for all games, made from what a game says of its board.
//!
//! A drawing that stands alone brings its own colours. A template for pages has every cell with a stone that is not seen yet; the
//! page only gives cells the classes of [`class_of`], and has the colours in its own style sheet.

use std::fmt::Write as _;

use crate::game::picture::{CellShape, Layout, Mark, Picture};

/// Half the distance of two cells side by side; the radius of a hexagon is 1.
const HALF: f64 = 0.866;
/// The room around the outermost cells where there are coordinates, and where there are none.
const MARGINS: [f64; 2] = [2.0, 0.6];

/// Colours for drawings that stand alone; pages have theirs.
const STYLE: &str = include_str!("svg.css");

/// What is to be seen in a drawing beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The coordinates around it.
    pub coordinates: bool,
}

/// A drawing of a board that stands alone: a file of its own, or a picture in a paper.
pub fn board(picture: &Picture, title: &str, drawing: Drawing) -> String {
    let layout = &picture.layout;
    let mut svg = open(layout, drawing.coordinates, r#" xmlns="http://www.w3.org/2000/svg" role="img""#);
    let _ = write!(svg, "<title>{}</title><style>{STYLE}</style>", escaped(title));
    draw_frame(layout, drawing.coordinates, &mut svg);
    let has_names = drawing.coordinates && layout.axes.is_empty();
    for (index, &mark) in picture.marks.iter().enumerate() {
        draw_spot(layout, index, mark, mark.side.is_some(), has_names, &mut svg);
    }
    svg + "</svg>\n"
}

/// The board without anything on it, in which every cell can be given a stone by its class. Cells are the elements of class `spot`,
/// in order.
pub fn template(layout: &Layout) -> String {
    let mut svg = open(layout, true, "");
    draw_frame(layout, true, &mut svg);
    for index in 0..layout.spots.len() {
        draw_spot(layout, index, Mark::default(), true, layout.axes.is_empty(), &mut svg);
    }
    svg + "</svg>"
}

/// The classes of a cell with this on it: `on`, `s` and the number of the side, `last` and `win`.
pub fn class_of(mark: Mark) -> String {
    let side = mark.side.map_or(String::new(), |side| format!(" on s{side}"));
    let flag = |is: bool, name: &'static str| if is { name } else { "" };
    format!("spot{side}{}{}", flag(mark.is_last, " last"), flag(mark.is_winning, " win"))
}

fn open(layout: &Layout, coordinates: bool, attributes: &str) -> String {
    let margin = MARGINS[usize::from(!coordinates || layout.axes.is_empty())];
    let places = (0..layout.spots.len()).map(|index| centre(layout, index));
    let (mut left, mut top, mut right, mut bottom) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for (x, y) in places {
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    let (x, y) = (left - 1.0 - margin, top - 1.0 - margin);
    let (width, height) = (right - left + 2.0 * (1.0 + margin), bottom - top + 2.0 * (1.0 + margin));
    let shape = match layout.shape {
        CellShape::Hexagon => "hexagons",
        CellShape::Hole => "holes",
        CellShape::Square => "squares",
    };
    format!(r#"<svg class="board {shape}" viewBox="{x:.2} {y:.2} {width:.2} {height:.2}"{attributes}>"#)
}

fn draw_frame(layout: &Layout, coordinates: bool, svg: &mut String) {
    for edge in &layout.edges {
        let corners = edge.corners.iter().map(|&(spot, corner)| {
            let ((x, y), (right, down)) = (centre(layout, spot), corner_of(layout.shape, corner));
            format!("{:.2},{:.2}", x + right, y + down)
        });
        let points = corners.collect::<Vec<_>>().join(" ");
        let _ = write!(svg, r#"<polyline class="edge e{}" points="{points}"/>"#, edge.side);
    }
    if !coordinates || layout.axes.is_empty() {
        return;
    }
    svg.push_str(r#"<g class="axes" aria-hidden="true">"#);
    for label in &layout.axes {
        let (x, y) = place(layout, label.x, label.y);
        let _ = write!(svg, r#"<text x="{x:.2}" y="{y:.2}">{}</text>"#, escaped(&label.text));
    }
    svg.push_str("</g>");
}

/// Where a corner of a cell is, seen from its centre. Corners are numbered clockwise, from the top or, on squares, the top left.
fn corner_of(shape: CellShape, corner: u8) -> (f64, f64) {
    match shape {
        CellShape::Hexagon | CellShape::Hole => {
            let angle = f64::from(corner) * std::f64::consts::FRAC_PI_3;
            (angle.sin(), -angle.cos())
        }
        CellShape::Square => match corner % 4 {
            0 => (-HALF, -HALF),
            1 => (HALF, -HALF),
            2 => (HALF, HALF),
            _ => (-HALF, HALF),
        },
    }
}

fn draw_spot(layout: &Layout, index: usize, mark: Mark, has_stone: bool, has_names: bool, svg: &mut String) {
    let spot = &layout.spots[index];
    let (x, y) = centre(layout, index);
    let wall = if spot.is_wall { " wall" } else { "" };
    let home = spot.home.map_or(String::new(), |side| format!(" h{side}"));
    let _ = write!(svg, r#"<g class="{}{wall}{home}" transform="translate({x:.2} {y:.2})">"#, class_of(mark));
    svg.push_str(match layout.shape {
        CellShape::Hexagon => r#"<path class="cell" d="M0-1 .866-.5V.5L0 1-.866.5V-.5z"/>"#,
        CellShape::Hole => r#"<circle class="cell" r=".72"/>"#,
        CellShape::Square => r#"<path class="cell" d="M-.866-.866H.866V.866H-.866z"/>"#,
    });
    // A board without coordinates at its rim has them in its cells.
    if has_names && mark.side.is_none() && !spot.is_wall {
        let _ = write!(svg, r#"<text class="name" aria-hidden="true">{}</text>"#, escaped(&spot.name));
    }
    if has_stone && !spot.is_wall {
        svg.push_str(match layout.shape {
            CellShape::Square => r#"<rect class="stone" x="-.7" y="-.7" width="1.4" height="1.4" rx=".28"/>"#,
            CellShape::Hexagon | CellShape::Hole => r#"<circle class="stone" r=".66"/>"#,
        });
        let glyph = if mark.side.is_some() { layout.glyph(index, mark).to_string() } else { String::new() };
        let _ = write!(svg, r#"<text class="letter">{}</text>"#, escaped(&glyph));
    }
    svg.push_str("</g>");
}

fn centre(layout: &Layout, index: usize) -> (f64, f64) {
    let spot = &layout.spots[index];
    place(layout, spot.x, spot.y)
}

fn place(layout: &Layout, x: i16, y: i16) -> (f64, f64) {
    let row = match layout.shape {
        CellShape::Hexagon | CellShape::Hole => 1.5,
        CellShape::Square => 2.0 * HALF,
    };
    (f64::from(x) * HALF, f64::from(y) * row)
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::picture::{Edge, Spot};
    use crate::game::{BoardOptions, GAMES, Setup};

    #[test]
    fn the_edge_of_a_board_of_squares_is_a_straight_line() {
        let spot = |x: i16| Spot { x, y: 0, name: x.to_string(), is_wall: false, home: Some(1) };
        let layout = Layout {
            shape: CellShape::Square,
            spots: vec![spot(0), spot(2)],
            letters: vec!['w', 'b'],
            empty: '-',
            labels: Vec::new(),
            axes: Vec::new(),
            edges: vec![
                Edge { side: 0, corners: vec![(0, 0), (0, 1), (1, 0), (1, 1)] },
                Edge { side: 1, corners: vec![(1, 1), (1, 2)] },
            ],
            legend: "",
        };
        let svg = template(&layout);
        assert!(svg.contains(r#"points="-0.87,-0.87 0.87,-0.87 0.87,-0.87 2.60,-0.87""#), "{svg}");
        assert!(svg.contains(r#"points="2.60,-0.87 2.60,0.87""#), "{svg}");
    }

    #[test]
    fn a_drawing_that_stands_alone_has_a_colour_for_every_mark() {
        for class in ["wall", "last:not(.on)", "last", "win", "h0", "h5", "e5", "s9"] {
            assert!(
                STYLE.contains(&format!(".{class}{{")) || STYLE.contains(&format!(".{class} ")),
                "{class}"
            );
        }
    }

    #[test]
    fn every_cell_and_every_stone_of_every_game_is_drawn() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for rules in GAMES {
            let mut game = Setup::new(rules.name, BoardOptions::default()).unwrap().start();
            for _ in 0..30 {
                if let Some(choice) = rng.choice(game.choices()) {
                    game.play(&choice.text).unwrap();
                }
            }
            let picture = game.picture();
            let svg = board(&picture, "<a & b>", Drawing { coordinates: true });
            let stones = picture.marks.iter().filter(|mark| mark.side.is_some()).count();
            assert_eq!(svg.matches(r#"class="cell""#).count(), picture.marks.len(), "{}", rules.name);
            assert_eq!(svg.matches(r#"class="stone""#).count(), stones, "{}", rules.name);
            assert!(svg.contains("<title>&lt;a &amp; b&gt;</title>"));
            let template = template(&picture.layout);
            assert_eq!(template.matches(r#"<g class="spot"#).count(), picture.marks.len(), "{}", rules.name);
        }
    }
}
