//! Gas in closed chambers: filling, flow through pipes, and pressures of states.
//!
//! The state of a chamber is its amount of gas, a memory of the step ([`GasMemory`]); its volume follows
//! from positions. At the time of a stage chambers with open pipes between them are one gas
//! ([`Chambers`]), with the sum of their amounts. At its end each has the share of its volume, and one
//! whose pressure is held has the amount that this takes.
//!
//! With the pressure `p = p_0 (N / V)^gamma` of an amount `N` in a volume `V`, connected chambers
//! have one pressure at `N = sum_i N_i` and `V = sum_i V_i`. Through a pipe without resistance
//! pressures are equal from the first step in which it is open, and the amounts after the step
//! are `N_i = N V_i / V`. Through a pipe with a resistance `R` the amount `(p_a - p_b) / R` flows in a second. It
//! flows at the end of a stage, at the volumes there and by the pressures after it (implicit Euler), so
//! that no pressure overshoots whatever the step is. A regulator replaces the law by a constant pressure, and the amount
//! that this takes is `N = V (p / p_0)^(1 / gamma)`.
//!
//! Amounts and not masses are kept, since no law here needs the kind of the gas.

use super::memory::GasMemory;
use super::state::State;
use crate::tuning::{FLOW_MOST_ITERATIONS, FLOW_ROUNDING};
use ipcsim_energy::{ATMOSPHERE, Chambers, Gas, GasLaw, Walls};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::powf;
use ipcsim_math::groups::Groups;
use ipcsim_math::varying::Varying;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Error of the time of a step, relative to it (1): times are multiples of the step, and substeps add up.
const TIME_ROUNDING: f64 = 1e-12;

/// All chambers of a world, and the pipes between them.
///
/// The ambient pressure is one for the scene.
#[derive(Debug, Default)]
pub struct Pneumatics {
    /// The chambers.
    pub chambers: Vec<Chamber>,
    /// Pipes between two of them.
    pub pipes: Vec<Pipe>,
    /// Pressure on the other side of their walls (Pa).
    pub ambient: f64,
}

/// A closed chamber.
#[derive(Debug)]
pub struct Chamber {
    /// Name in tables and conditions.
    pub name: String,
    /// Sides of its outline.
    pub walls: Arc<Walls>,
    /// Numbers of the bodies and obstacles that the walls belong to, ascending.
    pub bodies: Vec<usize>,
    /// Vertices along the outline, in order; gaps between walls are bridged by a straight side.
    pub outline: Vec<usize>,
    /// Exponent `gamma` (1).
    pub gamma: f64,
    /// Amount of gas at the start (m^3 at [`ATMOSPHERE`]).
    pub amount: f64,
    /// Volume at the start (m^3).
    pub volume: f64,
    /// Filling over time.
    pub fill: Fill,
}

/// Filling of a chamber over time.
#[derive(Debug)]
pub enum Fill {
    /// An amount (m^3 at [`ATMOSPHERE`]) in addition to that at the start, by time.
    Amount(Varying),
    /// A regulator holds the pressure in a window of time.
    Held {
        /// Pressure (Pa), by time.
        pressure: Varying,
        /// Pressure over which it counts (Pa): the ambient one, or 0 of an absolute one.
        over: f64,
        /// When it holds the pressure.
        window: Window,
    },
}

/// A span of time: after `from` up to and with `until` (s).
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Time after which it is (s).
    pub from: f64,
    /// Last time of it (s).
    pub until: f64,
}

/// An open connection of two chambers.
#[derive(Debug)]
pub struct Pipe {
    /// Numbers of the chambers.
    pub chambers: [usize; 2],
    /// When it is open.
    pub window: Window,
    /// Difference of pressure for each flow (Pa s/m^3); `None` if gas flows at once.
    pub resistance: Option<f64>,
}

/// Pressure, volume and amount of a chamber in a state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChamberState {
    /// Absolute pressure (Pa).
    pub pressure: f64,
    /// Pressure less that on the other side of the walls (Pa).
    pub gauge: f64,
    /// Volume (m^3).
    pub volume: f64,
    /// Amount of gas (m^3 at the standard atmosphere).
    pub amount: f64,
}

impl Window {
    /// True if the time `t` (s) is in it, up to the rounding of times of steps.
    fn has(&self, t: f64) -> bool {
        let rounding = TIME_ROUNDING * t.abs();
        t > self.from + rounding && t <= self.until + rounding
    }
}

impl Chamber {
    /// Amount (m^3 at [`ATMOSPHERE`]) that has a pressure (Pa) in a volume (m^3).
    pub fn amount_at(gamma: f64, pressure: f64, volume: f64) -> f64 {
        volume * powf(pressure / ATMOSPHERE, 1.0 / gamma)
    }

    /// Amount that is added between two times (s).
    ///
    /// The unit is m^3 at [`ATMOSPHERE`]; it is negative where gas is let out.
    fn added(&self, [before, after]: [f64; 2]) -> f64 {
        match &self.fill {
            Fill::Amount(table) => {
                let zero = Vec2::zeros();
                table.at(zero, after) - table.at(zero, before)
            }
            Fill::Held { .. } => 0.0,
        }
    }

    /// Absolute pressure (Pa) that a regulator holds at the time `t` (s).
    fn held(&self, t: f64) -> Option<f64> {
        match &self.fill {
            Fill::Held {
                pressure,
                over,
                window,
            } if window.has(t) => Some((pressure.at(Vec2::zeros(), t) + over).max(0.0)),
            _ => None,
        }
    }
}

impl Pneumatics {
    /// True without chambers.
    pub fn is_empty(&self) -> bool {
        self.chambers.is_empty()
    }

    /// Amounts (m^3 at [`ATMOSPHERE`]) at the time `t` (s), where nothing has flowed through pipes since
    /// the state `from`. A pump takes no more than there is.
    fn amounts(&self, from: &State, t: f64) -> Vec<f64> {
        let known = &from.memory.options.gas.amounts;
        let chambers = self.chambers.iter().enumerate();
        let amounts = chambers.map(|(k, chamber)| {
            let before = known.get(k).copied().unwrap_or(chamber.amount);
            (before + chamber.added([from.time, t])).max(0.0)
        });
        amounts.collect()
    }

    /// Pairs of bodies that feel the same gas, at one time or another.
    ///
    /// Bodies of one gas depend on each other: the motion of one changes the pressure on all.
    pub fn links(&self) -> impl Iterator<Item = [usize; 2]> {
        let walls = self.chambers.iter().flat_map(|chamber| {
            let pairs = chamber.bodies.windows(2);
            pairs.map(|pair| [pair[0], pair[1]])
        });
        let pipes = self.pipes.iter().filter_map(|pipe| {
            let [a, b] = pipe.chambers.map(|k| self.chambers[k].bodies.first());
            Some([*a?, *b?])
        });

        // Both in the order of the scene.
        walls.chain(pipes)
    }

    /// Numbers of the chambers of each gas at the time `t` (s).
    ///
    /// Chambers without an open pipe are a gas for themselves.
    fn connected(&self, t: f64) -> Vec<Vec<usize>> {
        let mut groups = Groups::new(self.chambers.len());
        let open = self.pipes.iter().filter(|pipe| pipe.window.has(t));
        for pipe in open.filter(|pipe| pipe.resistance.is_none()) {
            let [a, b] = pipe.chambers;
            groups.join(a, b);
        }

        // Lists by the roots of groups, in the order of the first chamber.
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); self.chambers.len()];
        for chamber in 0..self.chambers.len() {
            lists[groups.root(chamber)].push(chamber);
        }

        lists.retain(|list| !list.is_empty());
        lists
    }

    /// True if a pipe with a resistance to a chamber is open at the time `t` (s).
    fn flows(&self, chamber: usize, t: f64) -> bool {
        let mut pipes = self.pipes.iter();
        pipes.any(|pipe| {
            pipe.resistance.is_some() && pipe.window.has(t) && pipe.chambers.contains(&chamber)
        })
    }

    /// What the gas in connected chambers does at the time `t` (s), where they have these `amounts`.
    ///
    /// The checks of a scene leave at most one regulator in connected chambers.
    fn law(&self, chambers: &[usize], amounts: &[f64], t: f64) -> GasLaw {
        let mut held = chambers.iter().filter_map(|&k| self.chambers[k].held(t));
        match held.next() {
            Some(pressure) => GasLaw::Held { pressure },
            None => GasLaw::Closed {
                amount: chambers.iter().map(|&k| amounts[k]).sum(),
                gamma: self.chambers[chambers[0]].gamma,
            },
        }
    }

    /// Gases at the time `t` (s) after the state `from`, in a stage that begins at the positions `x` (m).
    ///
    /// Amounts and pressures are the ones at `t`, and energies count from the positions `x`.
    pub fn gases(&self, from: &State, x: &[Vec2], t: f64) -> Chambers {
        if self.is_empty() {
            return Chambers::default();
        }
        let amounts = self.amounts(from, t);

        let gases = self.connected(t).into_iter().map(|chambers| Gas {
            law: self.law(&chambers, &amounts, t),
            walls: chambers
                .iter()
                .map(|&k| Arc::clone(&self.chambers[k].walls))
                .collect(),
            ambient: self.ambient,
        });
        Chambers::new(gases.collect(), x)
    }

    /// Memory of the chambers at the end of a stage at the time `t` (s), with the positions `x` (m), in a
    /// step from the state `from`.
    ///
    /// What flows through pipes and regulators follows from the volumes at the end.
    pub(super) fn remembered(&self, from: &State, x: &[Vec2], t: f64) -> GasMemory {
        let mut amounts = self.amounts(from, t);
        self.flow(&mut amounts, x, [from.time, t]);
        for chambers in self.connected(t) {
            let law = self.law(&chambers, &amounts, t);
            let volumes: Vec<f64> = chambers
                .iter()
                .map(|&k| self.chambers[k].walls.volume(x))
                .collect();
            let whole: f64 = volumes.iter().sum();

            match law {
                // A closed chamber keeps its amount to the last bit.
                GasLaw::Closed { .. } if chambers.len() == 1 => {}
                GasLaw::Closed { amount, .. } => {
                    for (&k, volume) in chambers.iter().zip(&volumes) {
                        amounts[k] = amount * (volume / whole);
                    }
                }
                GasLaw::Held { pressure } => {
                    for (&k, &volume) in chambers.iter().zip(&volumes) {
                        let gamma = self.chambers[k].gamma;
                        amounts[k] = Chamber::amount_at(gamma, pressure, volume);
                    }
                }
            }
        }

        GasMemory { amounts }
    }

    /// Lets gas flow through pipes with a resistance between two times (s), among the `amounts` of all
    /// chambers (m^3 at [`ATMOSPHERE`]) with the positions `x` (m).
    ///
    /// Newton's method solves `N - N_0 + h sum (p(N) - p_other) / R = 0` for the gas of each net of pipes
    /// without resistance. The matrix has a dominant diagonal, and pressures grow with amounts.
    fn flow(&self, amounts: &mut [f64], x: &[Vec2], [before, now]: [f64; 2]) {
        let open = self.pipes.iter().filter(|pipe| pipe.window.has(now));
        let flows: Vec<(&Pipe, f64)> = open
            .filter_map(|pipe| Some((pipe, pipe.resistance?)))
            .collect();
        if flows.is_empty() {
            return;
        }

        // Each gas with its law, volume and amount.
        let nets = self.connected(now);
        let mut net_of = vec![0; self.chambers.len()];
        for (net, chambers) in nets.iter().enumerate() {
            for &chamber in chambers {
                net_of[chamber] = net;
            }
        }
        let volume = |chamber: &usize| self.chambers[*chamber].walls.volume(x);
        let volumes: Vec<f64> = nets
            .iter()
            .map(|net| net.iter().map(volume).sum())
            .collect();
        let mut all: Vec<f64> = nets
            .iter()
            .map(|net| net.iter().map(|&k| amounts[k]).sum())
            .collect();
        let law = |net: usize, amount: f64| match self.law(&nets[net], amounts, now) {
            GasLaw::Closed { gamma, .. } => {
                let pressure = GasLaw::Closed { amount, gamma }.pressure(volumes[net]);
                [pressure, gamma * pressure / amount.max(f64::MIN_POSITIVE)]
            }
            GasLaw::Held { pressure } => [pressure, 0.0],
        };

        // What flows from net to net at a pressure of 1, in this step.
        let joined: Vec<([usize; 2], f64)> = flows
            .iter()
            .map(|(pipe, resistance)| {
                let ends = pipe.chambers.map(|chamber| net_of[chamber]);
                (ends, (now - before) / resistance)
            })
            .collect();
        flow_between(&mut all, &joined, law);

        // By volume among the chambers of a net.
        for ((chambers, amount), whole) in nets.iter().zip(all).zip(&volumes) {
            for &chamber in chambers {
                amounts[chamber] = if chambers.len() == 1 {
                    amount
                } else {
                    amount * (volume(&chamber) / whole)
                };
            }
        }
    }

    /// Pressures and volumes of all chambers in a state.
    ///
    /// Each chamber has its own amount here. Connected chambers have one pressure anyway, since
    /// amounts were shared by volume.
    pub fn states(&self, state: &State) -> Vec<ChamberState> {
        let amounts = self.amounts(state, state.time);
        let both = self.chambers.iter().zip(amounts);
        let states = both.map(|(chamber, amount)| {
            // The law of a closed gas gives the pressure of a regulator, too: the amount follows
            // it.
            let volume = chamber.walls.volume(&state.x);
            let law = closed(chamber, amount);
            let pressure = law.pressure(volume);
            ChamberState {
                pressure,
                gauge: pressure - self.ambient,
                volume,
                amount,
            }
        });
        states.collect()
    }

    /// Energy (J) of all gases in a state, with the work against the ambient pressure, less that at the
    /// start.
    pub(super) fn energy(&self, state: &State) -> f64 {
        let states = self.states(state);
        let both = self.chambers.iter().zip(states);
        let energies = both.map(|(chamber, ChamberState { volume, amount, .. })| {
            let now = closed(chamber, amount).energy(volume);
            let before = closed(chamber, chamber.amount).energy(chamber.volume);
            now - before + self.ambient * (volume - chamber.volume)
        });
        energies.sum()
    }

    /// True for each chamber whose gas has another pressure at the second of two times (s), whatever its
    /// volume does.
    pub(super) fn changing(&self, [now, then]: [f64; 2]) -> Vec<bool> {
        let pipes = self.pipes.iter();
        let pipes: Vec<&Pipe> = pipes
            .filter(|pipe| pipe.window.has(now) != pipe.window.has(then))
            .collect();

        let chambers = self.chambers.iter().enumerate();
        let changing = chambers.map(|(k, chamber)| {
            let [before, after] = [now, then].map(|t| chamber.held(t).map(f64::to_bits));
            chamber.added([now, then]) != 0.0
                || before != after
                || pipes.iter().any(|pipe| pipe.chambers.contains(&k))
                || self.flows(k, then)
        });
        changing.collect()
    }
}

/// Law of a closed chamber with an amount of gas.
fn closed(chamber: &Chamber, amount: f64) -> GasLaw {
    GasLaw::Closed {
        amount,
        gamma: chamber.gamma,
    }
}

/// Amounts of gas in nets of pipes at the end of a step, by Newton's method from those at its start.
///
/// `joined` are pipes between two nets, each with what flows in the step at a difference of pressure of 1.
/// `law` gives the pressure of a net by its amount, and its slope.
fn flow_between(
    amounts: &mut [f64],
    joined: &[([usize; 2], f64)],
    law: impl Fn(usize, f64) -> [f64; 2],
) {
    let first = amounts.to_vec();
    for _ in 0..FLOW_MOST_ITERATIONS {
        // Pressures at the present amounts, and the linear system of a step.
        let known = amounts.iter().enumerate();
        let laws: Vec<[f64; 2]> = known.map(|(net, amount)| law(net, *amount)).collect();
        let mut matrix = DMatrix::identity(first.len(), first.len());
        let missing = amounts.iter().zip(&first).map(|(n, first)| first - n);
        let mut right = DVector::from_iterator(first.len(), missing);
        for &([a, b], ease) in joined {
            let flow = ease * (laws[a][0] - laws[b][0]);
            right[a] -= flow;
            right[b] += flow;
            for (row, column, sign) in [(a, a, 1.0), (a, b, -1.0), (b, a, -1.0), (b, b, 1.0)] {
                matrix[(row, column)] += sign * ease * laws[column][1];
            }
        }
        let Some(change) = matrix.lu().solve(&right) else {
            return;
        };

        // An amount is never negative.
        let mut most: f64 = 0.0;
        for (amount, change) in amounts.iter_mut().zip(change.iter()) {
            let next = (*amount + change).max(0.0);
            most = most.max((next - *amount).abs() / next.max(f64::MIN_POSITIVE));
            *amount = next;
        }
        if most < FLOW_ROUNDING {
            return;
        }
    }
}
