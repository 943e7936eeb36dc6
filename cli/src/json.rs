//! The tables of rule sets as one JSON document, for `table --format json` and for the site. `docs/explorer-json.md`
//! describes it to users; a change that a reader notices raises [`SCHEMA`].

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use serde::Serialize;
use supremum::{
    Class, CommonTypeRule, DType, Kind, Loss, OperandType, Operation, Promotion, RuleSet, Verdict,
};

use crate::{operations, witness};

/// The version of the document's form.
pub(crate) const SCHEMA: u32 = 1;

/// Tables of rule sets. Equal cells, rows, tables and result maps stand here once, and are named by their position.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    /// [`SCHEMA`].
    pub(crate) schema: u32,
    /// The version of the library whose tables these are.
    pub(crate) library: &'static str,
    /// Every dtype.
    pub(crate) dtypes: Vec<DTypeEntry>,
    /// The operands, in the order of rows and columns: `f32`, `zero-dim f32`, `f32*`.
    pub(crate) operands: Vec<OperandEntry>,
    /// The systems.
    pub(crate) systems: Vec<System>,
    /// Tables: for each operand on the left, the position of its row in `rows`.
    pub(crate) tables: Vec<Vec<usize>>,
    /// Rows: for each operand on the right, the position of its cell in `cells`.
    pub(crate) rows: Vec<Vec<usize>>,
    /// Promotions; the first one is `null`, an undefined pair.
    pub(crate) cells: Vec<Option<Cell>>,
    /// The results of operations: from the name of a promoted operand to that of the result. Missing names are undefined.
    pub(crate) results: Vec<BTreeMap<String, String>>,
    /// The losses of conversions, by the names of both dtypes. Missing pairs lose nothing.
    pub(crate) losses: BTreeMap<&'static str, BTreeMap<&'static str, LossEntry>>,
}

/// A dtype.
#[derive(Debug, Serialize)]
pub(crate) struct DTypeEntry {
    pub(crate) name: &'static str,
    /// `bool`, `unsigned`, `signed`, `float` or `complex`.
    pub(crate) kind: &'static str,
    pub(crate) bits: usize,
}

/// An operand: a dtype in a class.
#[derive(Debug, Serialize)]
pub(crate) struct OperandEntry {
    pub(crate) name: String,
    pub(crate) dtype: &'static str,
    /// `dimensioned`, `zero-dim` or `weak`.
    pub(crate) class: &'static str,
}

/// The promotion of two operands.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    /// The name of the promoted operand: a dtype, with a star if it is weak.
    pub(crate) to: String,
    /// `lossless`, `loses-precision`, `loses-range`, `accepted` or `refused`.
    pub(crate) verdict: &'static str,
    /// The dtype that loses values, if the verdict names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) loses: Option<&'static str>,
    /// Why the rules refuse the promotion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'static str>,
}

/// The loss of a conversion, and a value that shows it.
#[derive(Debug, Serialize)]
pub(crate) struct LossEntry {
    /// `precision` or `range`.
    pub(crate) loss: &'static str,
    pub(crate) value: String,
    pub(crate) becomes: String,
}

/// A rule set.
#[derive(Debug, Serialize)]
pub(crate) struct System {
    pub(crate) name: &'static str,
    /// The system and its version; `null` if the rules do not say.
    pub(crate) version: Option<&'static str>,
    pub(crate) url: Option<&'static str>,
    /// `true` if zero-dim operands promote differently from dimensioned ones.
    pub(crate) looks_at_rank: bool,
    /// The rule for more than two operands: `folded`, `around-highest` or `by-class`.
    pub(crate) common: &'static str,
    /// The operands that literals are.
    pub(crate) literals: Literals,
    /// The table that promotes without an operation, by its position in `tables`.
    pub(crate) promotions: usize,
    pub(crate) operations: Vec<OperationEntry>,
}

/// The names of the operands that literals are.
#[derive(Debug, Serialize)]
pub(crate) struct Literals {
    pub(crate) bool: String,
    pub(crate) int: String,
    pub(crate) float: String,
    pub(crate) complex: String,
}

/// A group of operations, which have the same answers.
#[derive(Debug, Serialize)]
pub(crate) struct OperationEntry {
    /// The name of the group.
    pub(crate) name: &'static str,
    /// The operators, methods and functions of the group, as the library spells them.
    pub(crate) members: Vec<&'static str>,
    /// The table that promotes both operands, by its position in `tables`; missing if there is one operand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) promotions: Option<usize>,
    /// The rules that promote, which are not always those of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) promoted_by: Option<&'static str>,
    /// The position in `results` of the operation's result for the promoted operand.
    pub(crate) results: usize,
}

/// The part of the tables that a document has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection<'a> {
    pub(crate) systems: &'a [&'a RuleSet],
    pub(crate) operations: &'a [Operation],
    pub(crate) dtypes: &'a [DType],
    pub(crate) classes: &'a [Class],
}

/// Every class of operands.
pub(crate) const CLASSES: &[Class] = &[Class::Dimensioned, Class::ZeroDim, Class::Weak];

impl Selection<'_> {
    /// The tables of every system, for every operation and operand.
    pub(crate) fn all() -> Self {
        Self {
            systems: RuleSet::builtin(),
            operations: Operation::ALL,
            dtypes: DType::ALL,
            classes: CLASSES,
        }
    }
}

impl Document {
    /// Writes down what the rule sets answer.
    pub(crate) fn new(selection: Selection<'_>) -> Self {
        let operands: Vec<_> = selection
            .classes
            .iter()
            .flat_map(|class| {
                selection.dtypes.iter().map(|dtype| OperandType {
                    dtype: *dtype,
                    class: *class,
                })
            })
            .collect();
        let mut tables = Tables {
            operands: &operands,
            cells: Pool::starting_with(None),
            rows: Pool::default(),
            tables: Pool::default(),
            results: Pool::default(),
            last_rows: HashMap::new(),
        };
        let systems = selection
            .systems
            .iter()
            .map(|rules| tables.system(rules, selection.operations))
            .collect();
        let Tables {
            cells,
            rows,
            tables,
            results,
            ..
        } = tables;
        Self {
            schema: SCHEMA,
            library: env!("CARGO_PKG_VERSION"),
            dtypes: DType::ALL.iter().copied().map(dtype_entry).collect(),
            operands: operands.iter().copied().map(operand_entry).collect(),
            systems,
            tables: tables.items,
            rows: rows.items,
            cells: cells
                .items
                .into_iter()
                .map(|promotion| promotion.map(cell))
                .collect(),
            results: results.items,
            losses: losses(),
        }
    }
}

/// Different items, in the order in which they were first met.
#[derive(Debug)]
struct Pool<T> {
    items: Vec<T>,
    positions: HashMap<T, usize>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            positions: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    fn starting_with(item: T) -> Self {
        let mut pool = Self::default();
        pool.position(item);
        pool
    }

    /// The position of an item, which is added if it is new.
    fn position(&mut self, item: T) -> usize {
        let Self { items, positions } = self;
        *positions.entry(item).or_insert_with_key(|item| {
            items.push(item.clone());
            items.len() - 1
        })
    }
}

/// The tables that have been written down so far.
struct Tables<'a> {
    operands: &'a [OperandType],
    /// Promotions, which are copied and compared faster than their texts.
    cells: Pool<Option<Promotion>>,
    rows: Pool<Vec<usize>>,
    tables: Pool<Vec<usize>>,
    results: Pool<BTreeMap<String, String>>,
    /// The last row of each operand, and its position.
    last_rows: HashMap<OperandType, (Vec<Option<Promotion>>, usize)>,
}

impl Tables<'_> {
    fn system(&mut self, rules: &RuleSet, operations: &[Operation]) -> System {
        let admitting = rules.allowing_unsafe();
        let source = rules.source();
        let literal = |kind| rules.literal(kind).to_string();
        System {
            name: rules.name(),
            version: source.map(|source| source.version),
            url: source.map(|source| source.url),
            looks_at_rank: rules.looks_at_rank(),
            common: common_rule_name(rules.common_type_rule()),
            literals: Literals {
                bool: literal(Kind::Bool),
                int: literal(Kind::Signed),
                float: literal(Kind::Float),
                complex: literal(Kind::Complex),
            },
            promotions: self.table(rules.looks_at_rank(), |lhs, rhs| {
                admitting.promote(lhs, rhs).ok()
            }),
            operations: operations
                .iter()
                .map(|operation| self.operation(&admitting, *operation))
                .collect(),
        }
    }

    fn operation(&mut self, rules: &RuleSet, operation: Operation) -> OperationEntry {
        let promotions = operation.is_binary().then(|| {
            self.table(rules.looks_at_rank(), |lhs, rhs| {
                rules.promote_for(operation, lhs, rhs).ok()
            })
        });
        OperationEntry {
            name: operation.name(),
            members: operations::members(operation)
                .map(|member| member.library)
                .collect(),
            promotions,
            promoted_by: rules.promoted_by(operation),
            results: self.results.position(results(rules, operation)),
        }
    }

    /// Writes down a table, and returns its position.
    fn table(
        &mut self,
        looks_at_rank: bool,
        promotion: impl Fn(OperandType, OperandType) -> Option<Promotion>,
    ) -> usize {
        let operands = self.operands;
        // Under rules that do not look at rank, a zero-dim operand has the row of the dimensioned one.
        let mut known: HashMap<OperandType, usize> = HashMap::new();
        let rows = operands
            .iter()
            .map(|lhs| {
                let class = match lhs.class {
                    Class::ZeroDim if !looks_at_rank => Class::Dimensioned,
                    class => class,
                };
                let same = OperandType { class, ..*lhs };
                *known.entry(same).or_insert_with(|| {
                    let promotions = operands.iter().map(|rhs| promotion(same, *rhs));
                    self.row(same, promotions.collect())
                })
            })
            .collect();
        self.tables.position(rows)
    }

    /// Writes down the row of an operand, and returns its position.
    fn row(&mut self, lhs: OperandType, promotions: Vec<Option<Promotion>>) -> usize {
        // Most operations promote by the table of the one before, and comparing is faster than hashing each cell.
        if let Some((last, position)) = self.last_rows.get(&lhs)
            && *last == promotions
        {
            return *position;
        }
        let cells = promotions.iter().map(|one| self.cells.position(*one));
        let position = self.rows.position(cells.collect());
        self.last_rows.insert(lhs, (promotions, position));
        position
    }
}

/// Returns the result of an operation for every operand that a promotion can give.
fn results(rules: &RuleSet, operation: Operation) -> BTreeMap<String, String> {
    [OperandType::dimensioned, OperandType::weak]
        .into_iter()
        .flat_map(|class| DType::ALL.iter().map(move |dtype| class(*dtype)))
        .filter_map(|operand| {
            let result = rules.operation(operation, operand).ok()?;
            Some((operand.to_string(), result.to_string()))
        })
        .collect()
}

/// A promotion as it is written down.
fn cell(promotion: Promotion) -> Cell {
    let (verdict, loses, reason) = verdict_entry(promotion.verdict);
    Cell {
        to: promotion.operand().to_string(),
        verdict,
        loses,
        reason,
    }
}

/// A verdict's name, the dtype that loses values, and the reason of a refusal.
pub(crate) fn verdict_entry(
    verdict: Verdict,
) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    match verdict {
        Verdict::Lossless => ("lossless", None, None),
        Verdict::LosesPrecision(dtype) => ("loses-precision", Some(dtype.name()), None),
        Verdict::LosesRange(dtype) => ("loses-range", Some(dtype.name()), None),
        Verdict::Accepted => ("accepted", None, None),
        Verdict::Refused(reason) => ("refused", None, Some(reason)),
        // The library's next verdict; nothing is known of it but its text.
        _ => ("other", None, None),
    }
}

/// The loss of each conversion that loses values.
fn losses() -> BTreeMap<&'static str, BTreeMap<&'static str, LossEntry>> {
    let mut losses = BTreeMap::<_, BTreeMap<_, _>>::new();
    for from in DType::ALL {
        for to in DType::ALL {
            if let Some(witness) = witness::find(*from, *to) {
                let entry = LossEntry {
                    loss: loss_name(from.loss_to(*to)),
                    value: witness.value.to_string(),
                    becomes: witness.becomes.to_string(),
                };
                losses
                    .entry(from.name())
                    .or_default()
                    .insert(to.name(), entry);
            }
        }
    }
    losses
}

fn loss_name(loss: Loss) -> &'static str {
    match loss {
        Loss::None => "none",
        Loss::Precision => "precision",
        Loss::Range => "range",
    }
}

fn common_rule_name(rule: CommonTypeRule) -> &'static str {
    match rule {
        CommonTypeRule::Folded => "folded",
        CommonTypeRule::AroundHighest => "around-highest",
        CommonTypeRule::ByClass => "by-class",
    }
}

fn dtype_entry(dtype: DType) -> DTypeEntry {
    DTypeEntry {
        name: dtype.name(),
        kind: match dtype.kind() {
            Kind::Bool => "bool",
            Kind::Unsigned => "unsigned",
            Kind::Signed => "signed",
            Kind::Float => "float",
            Kind::Complex => "complex",
        },
        bits: 8 * dtype.size(),
    }
}

fn operand_entry(operand: OperandType) -> OperandEntry {
    OperandEntry {
        name: operand.to_string(),
        dtype: operand.dtype.name(),
        class: class_name(operand.class),
    }
}

/// The name of a class in arguments and documents.
pub(crate) fn class_name(class: Class) -> &'static str {
    match class {
        Class::Dimensioned => "dimensioned",
        Class::ZeroDim => "zero-dim",
        Class::Weak => "weak",
    }
}
