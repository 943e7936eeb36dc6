//! Hasse diagrams as SVG: each operand stands above those that promote to it.

use std::fmt::Write;

use supremum::Class;

use crate::relation::Relation;

/// The size of an operand's box and of the gaps between boxes, in pixels.
const BOX: [usize; 2] = [104, 26];
const GAPS: [usize; 2] = [18, 34];

/// Draws a relation, with the smallest operands at the bottom. The colours are those of the text around it, so the drawing
/// does in the dark too.
pub(crate) fn svg(name: &str, relation: &Relation) -> String {
    let covers = relation.covers();
    let layers = layers(&covers);
    let widest = layers.iter().map(Vec::len).max().unwrap_or_default();
    let [width, height] = [
        widest * (BOX[0] + GAPS[0]) + GAPS[0],
        layers.len() * (BOX[1] + GAPS[1]) + GAPS[1],
    ];
    let places = places(&layers, relation.operands.len(), width, height);
    let title = if relation.is_lattice() {
        format!("The lattice of {name}")
    } else {
        format!("The order relation of {name}, which is not a lattice")
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-labelledby=\"title description\" font-family=\"ui-monospace, monospace\" font-size=\"12\" \
         text-anchor=\"middle\">\n<title id=\"title\">{title}</title>\n<desc id=\"description\">{}</desc>\n",
        description(relation, &covers)
    );
    text.push_str("<g stroke=\"currentColor\" stroke-opacity=\"0.55\">\n");
    for (low, above) in covers.iter().enumerate() {
        for high in above {
            let ([x1, y1], [x2, y2]) = (places[low], places[*high]);
            let (y1, y2) = (y1 - BOX[1] / 2, y2 + BOX[1] / 2);
            writeln!(
                text,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
            )
            .expect("a string takes all");
        }
    }
    text.push_str("</g>\n");
    for (operand, [x, y]) in relation.operands.iter().zip(&places) {
        let dashes = if operand.class == Class::Weak {
            " stroke-dasharray=\"4 3\""
        } else {
            ""
        };
        let (left, top, baseline) = (x - BOX[0] / 2, y - BOX[1] / 2, y + 4);
        let [width, height] = BOX;
        writeln!(
            text,
            "<g><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"none\" \
             stroke=\"currentColor\"{dashes}/><text x=\"{x}\" y=\"{baseline}\" fill=\"currentColor\">{operand}</text></g>"
        )
        .expect("a string takes all");
    }
    text.push_str("</svg>\n");
    text
}

/// The diagram in words.
fn description(relation: &Relation, covers: &[Vec<usize>]) -> String {
    let lines = relation
        .operands
        .iter()
        .zip(covers)
        .filter(|(_, above)| !above.is_empty());
    let sentences = lines.map(|(operand, above)| {
        let above: Vec<_> = above
            .iter()
            .map(|high| relation.operands[*high].to_string())
            .collect();
        format!("{operand} promotes to {}.", above.join(", "))
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// Operands by the length of the longest way to them from below, in an order with few crossings.
fn layers(covers: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = covers.len();
    let mut level = vec![0; count];
    // In a relation with cycles levels would grow for ever; no way is longer than the number of operands.
    for _ in 0..count {
        for (low, above) in covers.iter().enumerate() {
            for high in above.iter().filter(|high| !covers[**high].contains(&low)) {
                level[*high] = level[*high].max(level[low] + 1).min(count - 1);
            }
        }
    }
    let highest = level.iter().max().map_or(0, |highest| highest + 1);
    let mut layers: Vec<Vec<usize>> = (0..highest)
        .map(|layer| (0..count).filter(|one| level[*one] == layer).collect())
        .collect();
    layers.retain(|layer: &Vec<usize>| !layer.is_empty());
    for _ in 0..4 {
        sort_by_neighbours(&mut layers, covers);
    }
    layers
}

/// Sorts each layer by the mean position of the operands that it is joined to.
fn sort_by_neighbours(layers: &mut [Vec<usize>], covers: &[Vec<usize>]) {
    for layer in 0..layers.len() {
        let position = |one: usize| {
            let within = layers.iter().find_map(|layer| {
                let position = layer.iter().position(|other| *other == one)?;
                // In thousandths of the layer's width, so that layers of different widths compare.
                Some((2 * position + 1) * 1_000 / (2 * layer.len()))
            });
            within.unwrap_or_default()
        };
        let mean = |one: &usize| {
            let above = covers[*one].iter().copied();
            let below = (0..covers.len()).filter(|low| covers[*low].contains(one));
            let neighbours: Vec<_> = above.chain(below).map(position).collect();
            match neighbours.len() {
                0 => position(*one),
                count => neighbours.iter().sum::<usize>() / count,
            }
        };
        let mut sorted = layers[layer].clone();
        sorted.sort_by_cached_key(mean);
        layers[layer] = sorted;
    }
}

/// The middle of each operand's box.
fn places(layers: &[Vec<usize>], count: usize, width: usize, height: usize) -> Vec<[usize; 2]> {
    let mut places = vec![[0, 0]; count];
    for (level, layer) in layers.iter().enumerate() {
        for (position, one) in layer.iter().enumerate() {
            let x = (2 * position + 1) * width / (2 * layer.len());
            let y = height - GAPS[1] - BOX[1] / 2 - level * (BOX[1] + GAPS[1]);
            places[*one] = [x, y];
        }
    }
    places
}
