//! Tuning constants of bodies, constraints, the solver and time stepping: unit, usual value or
//! range, and what other values break.

// Bodies.

/// Share of a field that must remain when its projections on the others are subtracted (1, 1e-12 to
/// 1e-6). Rounding leaves about 1e-16 to 1e-13. Higher: independent polynomials on coarse meshes
/// are refused. Lower: dependent fields pass as rounding noise.
pub(crate) const INDEPENDENT_SHARE: f64 = 1e-9;

/// Ratio of a triangle's area to its area at rest below which rounding may hide its sign, so that
/// the area is computed exactly (1, 1e-8 to 1e-3). Higher: exact areas cost time. Lower: a triangle
/// that is inverted may count as upright.
pub(crate) const FLAT_TRIANGLE: f64 = 1e-6;

/// Distance outside of a body, relative to its size, at which a place still is a point of the body
/// (1, 1e-12 to 1e-6). Higher: places outside count as points of the body. Lower: rounding of a
/// place on the outline refuses it.
pub(crate) const POINT_MARGIN: f64 = 1e-9;

// Constraints.

/// First stiffness of a constraint relative to the inertia that it moves in a step (1, 1e3 to 1e6).
/// Openings shrink by about this factor whenever the forces are renewed. Higher: the valley of the
/// potential is narrow, so that line searches take short steps where bodies turn fast. Lower: more
/// renewals.
pub(crate) const JOINT_FIRST_STIFFNESS: f64 = 1e4;

/// Share of a residual that may remain after its force was renewed; if more remains the stiffness
/// grows (1, 0 to 1; usually 0.5). No finite force holds a straight row of bars between two
/// supports: there each renewal leaves about 0.4 of a residual, however stiff the constraint is.
/// Higher: soft constraints need many renewals. Lower: at 0.1 the stiffness of such a row grows
/// with each renewal, to 1e14 times the first one, and rounding becomes forces.
pub(crate) const JOINT_SLOW: f64 = 0.5;

/// Factor by which the stiffness of constraints grows where residuals shrink slowly (1, 3 to 100).
/// Higher: the stiffness overshoots, and the Newton system loses digits. Lower: more renewals.
pub(crate) const JOINT_GROWTH: f64 = 10.0;

/// Residual at which a constraint counts as closed, relative to the size of the larger body (1,
/// 1e-13 to 1e-8; usually 1e-11, so that joints of bodies up to 10 m are closed to 1e-10 m).
/// Higher: joints are visibly open. Lower: below 1e-14 rounding of positions keeps joints open.
pub(crate) const JOINT_CLOSED: f64 = 1e-11;

/// Multiple of that residual (1, 2 to 9) that is accepted at a dead centre, where the force grows with one
/// over the root of the residual: at most 1e-10 of the larger body. Higher: joints are open by more than
/// is promised. Lower: forces grow until rounding keeps them from balance.
pub(crate) const JOINT_NEARLY_CLOSED: f64 = 8.0;

/// Error of a residual by rounding, in units of the largest coordinate's last bit (1, 16 to 128).
/// Higher: joints far from the origin stay open. Lower: residuals are asked for that positions
/// cannot represent.
pub(crate) const JOINT_ROUNDINGS: f64 = 32.0;

/// Renewals of the forces in one stage after which joints count as torn (1, 30 to 200). A mechanism
/// that moves needs one to five. Higher: joints that contradict each other or a prescribed motion
/// take longer until they fail. Lower: joints that would close fail.
pub(crate) const JOINT_MOST_RENEWALS: usize = 60;

/// Stiffness of the barrier of a limit relative to the inertia that it stops in a step (1, 0.1 to
/// 10). Higher: the barrier bends sharply where it begins. Lower: joints come closer to their
/// limits under the same load, and none passes them.
pub(crate) const LIMIT_STIFFNESS: f64 = 1.0;

/// Share of its distance from a limit, or of the reach of the barrier, that a joint keeps in one
/// iteration (1, 0 to 1; usually 0.05, as for gaps of contact). Higher: more iterations. Lower: a
/// joint comes so near to its limit that its barrier is stiffer than all else.
pub(crate) const LIMIT_GAP_KEPT: f64 = 0.05;

/// Largest angle by which a body turns in one iteration if its turns are counted (rad, 1 to 3;
/// usually 2). Higher: from pi on a turn backwards could be meant. Lower: more iterations where
/// bodies spin.
pub(crate) const COUNTED_MOST_TURN: f64 = 2.0;

/// Advances towards a limit that one motion may take (1, 64 to 1024); then the part so far is the
/// bound. Higher: motions along a limit take longer. Lower: their bounds are shorter.
pub(crate) const LIMIT_MOST_ADVANCES: usize = 256;

/// Shortest half of a part of a motion that a proof examines (1, 1e-12 to 1e-6). Higher: motions
/// near a limit are not proved. Lower: proofs of motions that reach a limit take longer.
pub(crate) const LIMIT_LEAST_PART: f64 = 1e-9;

// Prescribed motion: targets and penalties.

/// Distance below which a message calls a prescribed position reached (m or rad, 1e-12 to 1e-6).
/// Higher: the message hides a distance that matters. Lower: it reports rounding as a distance.
pub(crate) const TARGET_REACHED: f64 = 1e-9;

/// Stiffness of a new penalty relative to the mass that it has to move (1, 100 to 1e5). Higher: the
/// matrix is harder to solve. Lower: more solves until targets are met.
pub(crate) const PENALTY_FIRST_STIFFNESS: f64 = 1e3;

/// The same in statics, where a direction is to take what touches along with the coordinate (1, 1e5 to
/// 1e9). Higher: the matrix loses digits. Lower: more solves until targets are met.
pub(crate) const PENALTY_FIRST_STIFFNESS_STATIC: f64 = 1e7;

/// Factor by which the stiffness of penalties grows (1, 3 to 100). Higher: penalties overshoot the
/// stiffness that they need, and the matrix is harder to solve. Lower: more solves.
pub(crate) const PENALTY_GROWTH: f64 = 10.0;

/// Number of growths that are always allowed (1, 4 to 12). Further ones are allowed until the
/// stiffest penalty exceeds the resistance by [`PENALTY_DOMINANCE`]. Higher: more solves before a
/// blocked motion fails. Lower: motions against soft resistance fail.
pub(crate) const PENALTY_MOST_GROWTHS: usize = 8;

/// Ratio of penalty and resistance from which on stiffer penalties no longer help (1, 100 to 1e6).
/// Higher: more solves before a blocked motion fails. Lower: motions that force a stiff body fail.
pub(crate) const PENALTY_DOMINANCE: f64 = 1e3;

/// Share of a prescribed displacement that is aimed at where all of it leads into contact too fast
/// (1, 0.1 to 0.5). Higher: several attempts until a share succeeds. Lower: more pieces.
pub(crate) const TARGET_SHORTENING: f64 = 0.25;

/// Share of the displacement to the goals below which pieces become no smaller (1, 1e-8 to 1e-3).
/// Higher: motions that press hard fail. Lower: thousands of solves before a blocked motion fails.
pub(crate) const TARGET_LEAST_SHARE: f64 = 1e-6;

/// Share of the missing displacement that a direction must cover to be taken, however short it is
/// (1, 0 to 1; usually 0.5). Higher: solves end before targets are met. Lower: directions that
/// hardly approach a target are taken.
pub(crate) const TARGET_APPROACH: f64 = 0.5;

/// Length, relative to the whole displacement, on which there must be room for it to count as free
/// (1, 1 to 2). Higher: free motions take detours by penalties. Lower: at 1 a body may end at
/// contact.
pub(crate) const TARGET_CLEARANCE: f64 = 1.25;

// Newton systems.

/// Number of times that a matrix which rounding has made indefinite is tried again with a larger
/// diagonal, each ten times the one before (1, 4 to 12). Higher: the diagonal outweighs the matrix,
/// and directions are useless. Lower: systems that rounding has harmed fail.
pub(crate) const MOST_SHIFTS: i32 = 8;

/// Number of directions of projected Hessians in a row that creep, from which on the exact Hessian is
/// damped instead (1, 2 to 6; usually 3). Higher: more directions before a saddle is left. Lower: damped
/// directions where projected ones converge.
pub(crate) const CREEPING_DIRECTIONS: usize = 3;

/// Length of a direction relative to the one before, above which it creeps (1, 0.3 to 0.9; usually 0.5).
/// Higher: slow convergence counts as progress. Lower: directions that converge count as creeping.
pub(crate) const CREEPING_RATIO: f64 = 0.5;

/// First damping `c` in `H + c M`, where the matrix must become positive definite (1, 1e-4 to 1).
/// Higher: directions are shorter than necessary. Lower: more factorisations.
pub(crate) const FIRST_DAMPING: f64 = 0.01;

/// Damping from which on no further one is tried (1, 1e12 to 1e16). Higher: factorisations that do
/// not help. Lower: bodies that are strongly compressed fail.
pub(crate) const MOST_DAMPING: f64 = 1e16;

/// Factor between two dampings (1, 3 to 100). Higher: shorter directions than necessary. Lower:
/// more factorisations.
pub(crate) const DAMPING_GROWTH: f64 = 10.0;

/// Share of an angle's inertia that a negative curvature may take away (1, below 1; usually 0.9).
/// Higher: at 1 the matrix may become singular. Lower: directions of bodies that turn fast are
/// shorter than necessary.
pub(crate) const CURVATURE_SHARE: f64 = 0.9;

/// Distance, in units of `d_hat`, below which a pair has its place in the matrix before it is in
/// contact (1, 1 to 4). Higher: a fuller factor. Lower: new patterns more often.
pub(crate) const PATTERN_REACH: f64 = 2.0;

/// Number of systems that are kept, each with another pattern (1, 1 to 4). Higher: more memory.
/// Lower: at 1 solves that alternate between two sets of fixed nodes analyse patterns again.
pub(crate) const SYSTEMS_KEPT: usize = 2;

/// Unknown nodes up to which the matrix is stored full, so that its pattern never changes (1, 10 to
/// 50). Higher: full matrices cost more than patterns. Lower: small scenes analyse patterns again
/// and again.
pub(crate) const FULL_BELOW: usize = 24;

/// Blocks that are evaluated before they are added (1, 64 to 512). Higher: they leave the nearest
/// cache. Lower: calls cost more than their work.
pub(crate) const SCATTER_BATCH: usize = 192;

/// Parts of the matrix for each thread (1, 2 to 8). Higher: more elements are evaluated twice.
/// Lower: threads wait for the slowest.
pub(crate) const SCATTER_PARTS: usize = 4;

/// Fewest blocks of a part of the matrix (1, 1000 to 10000). Higher: threads have nothing to do.
/// Lower: tasks cost more than their work.
pub(crate) const SCATTER_LEAST_PART: usize = 4096;

// Newton's method: candidates, directions and line searches.

/// Share of `d_hat` by which candidates reach beyond the motion that they are found for (1, 0.1 to
/// 2). Higher: longer lists. Lower: new lists more often.
pub(crate) const CANDIDATES_ROOM: f64 = 0.5;

/// Factor by which candidates reach beyond the motion that they are found for (1, 1 to 3). Higher:
/// longer lists. Lower: new lists more often.
pub(crate) const CANDIDATES_AHEAD: f64 = 1.5;

/// Share of the longest motion of a step for which every vertex has room in its candidates (1, 0 to 1).
/// Higher: longer lists. Lower: new lists where bodies that lie still are hit.
pub(crate) const CANDIDATES_LEAST: f64 = 0.5;

/// The same room at most, relative to the mean length of edges (1, 0.25 to 2). Higher: longer lists
/// where a few bodies are fast. Lower: new lists more often.
pub(crate) const CANDIDATES_EDGES: f64 = 1.0;

/// Ratio of the longest displacement of a vertex to the longest one in the direction that the near
/// list was picked for, below which the list is picked again (1, 0.1 to 0.5). Higher: lists are
/// picked more often. Lower: longer lists.
pub(crate) const CANDIDATES_SHORTER: f64 = 0.25;

/// Largest number of halvings in a line search (1, 40 to 60). Higher: no effect, since coordinates
/// cannot represent a smaller motion. Lower: solves fail where the first length is far too long.
pub(crate) const SEARCH_MOST_HALVINGS: usize = 60;

/// Error of a potential by rounding, in units of the last bit of its value (1, 16 to 256). Higher:
/// decreases that are real count as lost. Lower: line searches halve for rounding.
pub(crate) const POTENTIAL_ROUNDINGS: f64 = 64.0;

/// Ratio of residual and tolerance below which a minimum counts as near (1, 10 to 1e4; usually
/// 100). Higher: friction that leads no longer is renewed while contacts still come and go. Lower:
/// it is renewed so late that it costs directions.
pub(crate) const MINIMUM_NEAR: f64 = 100.0;

/// Number of directions after which a solve counts as slow (1, 16 to 64). Higher: slow solves take
/// longer. Lower: usual solves search for the best length of directions without need.
pub(crate) const SLOW_SOLVE: usize = 32;

/// Number of directions without progress after which rounding counts as reached (1, 2 to 8).
/// Higher: directions in vain. Lower: solves end before their tolerance.
pub(crate) const STALLED_DIRECTIONS: usize = 4;

/// Fraction of a direction below which contact cuts it short (1, 0.01 to 0.2). Higher: prescribed
/// motion is divided without need. Lower: prescribed motion creeps towards contact.
pub(crate) const CUT_SHORT: f64 = 0.05;

/// Number of directions cut short in a row after which prescribed motion proceeds in smaller pieces
/// (1, 1 to 4). Higher: directions in vain. Lower: prescribed motion is divided without need.
pub(crate) const CUT_IN_A_ROW: usize = 2;

/// Growth of a body within an increment of statics that fails, beyond which its loads are more than any
/// equilibrium carries (1, 2 to 10). Higher: failures say less. Lower: balloons that fail for another
/// reason are called overloaded.
pub(crate) const STATICS_GROWN: f64 = 3.0;

/// Growth of a body within an increment of statics at which damped motion ends, and which no equilibrium is
/// believed to have (1, 10 to 100). Higher: directions in vain. Lower: balloons that pass a limit point do
/// not arrive.
pub(crate) const STATICS_BURST: f64 = 30.0;

/// Ratio to the value at the last progress, below which imbalance or potential have fallen (1, 0.5 to
/// 1; usually 0.9). Higher: solves that creep go on. Lower: slow solves end as if they stood still.
pub(crate) const STAGNANT_RATIO: f64 = 0.9;

/// Number of directions without progress, after which a solve ends (1, 200 to 1000). Higher: solves that
/// stand still take longer until a fallback helps or their step fails. Lower: hard solves end that a
/// change of contacts frees after 400 directions.
pub(crate) const STAGNANT_DIRECTIONS: usize = 500;

/// Multiple of the estimate of rounding that an imbalance may have where directions no longer become
/// shorter (1, 2 to 100): the estimate is right to a third. Higher: states pass for balanced that
/// are not. Lower: bodies fail that touch closely far from the origin.
pub(crate) const ROUNDING_SLACK: f64 = 16.0;

/// Gap as a share of the reach of its barrier, below which prescribed motion has left no room to a contact
/// of a solve that fails (1, 1e-6 to 0.01). Higher: other failures are called blocked. Lower: blocked
/// motion asks for more iterations.
pub(crate) const SQUEEZED: f64 = 1e-3;

/// Gap in units of the rounding of coordinates, below which forces must balance though rounding ends a
/// solve (1, 1e5 to 1e8). Higher: close contact far from the origin fails. Lower: bodies freeze in gaps
/// that have shrunk to rounding.
pub(crate) const GAP_ROUNDINGS: f64 = 1e6;

/// Ratio of the imbalance to the one before, above which another direction has not helped (1, below
/// 1; usually 0.5). Higher: directions are computed in vain. Lower: solves at the limit of rounding
/// end too early.
pub(crate) const IMBALANCE_STUCK: f64 = 0.5;

/// Ratio of the smallest gap to the one before, above which contacts have opened and the last matrix is too
/// stiff to tell rounding from forces (1, 1.5 to 10). Higher: bodies that a direction has thrown off
/// each other count as balanced. Lower: directions in vain.
pub(crate) const GAP_OPENED: f64 = 2.0;

/// Ratio of residual and tolerance below which forces of joints are renewed together with a
/// direction (1, 1 to 1e4; usually 100). Higher: forces follow states that are not minima, and run
/// away. Lower: forces wait for directions that they make void. Iterations of chains fall by a
/// third from 1 to 100, and no more beyond.
pub(crate) const RENEWAL_NEAR: f64 = 100.0;

/// Ratio of the residuals of two such renewals above which the second one waits for the minimum (1,
/// below 1; usually 0.5). Higher: forces change again and again where contacts or friction keep
/// directions from becoming shorter. Lower: forces wait for directions that they make void.
pub(crate) const RENEWAL_NEARER: f64 = 0.5;

/// Number of inverse iterations for a motion without energy (1, 8 to 20). Higher: tests at the end
/// of statics take longer. Lower: a soft motion may hide a free one.
pub(crate) const ZERO_ENERGY_ITERATIONS: usize = 12;

/// Energy of a motion, relative to the sum over its coordinates one by one, below which it is
/// rounding (1, 1e-13 to 1e-11). Sums of a matrix are off by 1e-16 times a few; the softest bending
/// of a strip of 1:1000 has 1e-10. Higher: slender bodies count as loose. Lower: loose bodies count
/// as held.
pub(crate) const ZERO_ENERGY: f64 = 1e-11;

/// Displacement of a rigid body in a step times its turn, relative to the body's reach of contact
/// (1, 0.001 to 0.1), above which a flight that turns along is tried. Higher: bodies that turn with
/// others start far from the minimum. Lower: the flight is tried where it differs by nothing.
pub(crate) const CARRIED_SAGITTA: f64 = 0.01;

/// Number of pieces of the path of bodies that are carried by prescribed ones (1, 4 to 16), if one
/// piece is not free: sagittas are smaller by its square. Higher: more collision detection in steps
/// that are blocked. Lower: bodies in narrow grips are not carried.
pub(crate) const CARRIED_PIECES: usize = 8;

// Joints that repeat each other.

/// Sine of the angle of an equation to others below which it depends on them (1, 1e-6 to 1e-4). Higher:
/// linkages near a dead centre count as in it. Lower: places in scenes have too few digits.
pub(crate) const REPEATED_SINE: f64 = 1e-5;

/// Factor in a sum of equations (1, 1e-5 to 1e-3), relative to the largest, that counts. Higher: joints are
/// left out of messages. Lower: rounding adds joints to them.
pub(crate) const REPEATED_PART: f64 = 1e-4;

/// Length of a motion to another place, relative to the sizes of bodies (1, 0.01 to 0.1). Higher: joints do
/// not close after it. Lower: the other place is as singular as the first.
pub(crate) const REPEATED_MOTION: f64 = 0.03;

/// Largest number of corrections that close joints after a motion (1, 20 to 100). Higher: time is lost on
/// motions that lead nowhere. Lower: joints stay open.
pub(crate) const REPEATED_CORRECTIONS: usize = 40;

/// Residual at which joints count as closed there, relative to the size of bodies (1, 1e-14 to 1e-12).
/// Higher: branches of no solution count. Lower: rounding keeps joints open.
pub(crate) const REPEATED_CLOSED: f64 = 1e-13;

/// Part of a motion that must be left after joints are closed (1, 0.01 to 0.5). Higher: linkages that move
/// count as locked. Lower: locked ones count as moving.
pub(crate) const REPEATED_LEFT: f64 = 0.1;

/// Largest number of equations of a linkage that is searched (1, 50 to 500): the work grows with its cube,
/// and 200 take some 10 ms at one place. Higher: checks take long. Lower: large linkages have no notes.
pub(crate) const REPEATED_MOST_EQUATIONS: usize = 200;

/// Largest number of linkages with repeated joints that are searched (1, 1 to 100). Higher: checks of crowds
/// take long. Lower: messages miss joints.
pub(crate) const REPEATED_MOST_LINKAGES: usize = 8;

/// Largest number of motions that are tried for other places (1, 3 to 30): from a dead centre many lead
/// nowhere. Higher: checks take long. Lower: messages do not say where joints repeat each other.
pub(crate) const REPEATED_MOTIONS: usize = 12;

/// Number of other places that are compared (1, 1 to 5). Higher: checks take long. Lower: a place that is
/// singular by chance misleads.
pub(crate) const REPEATED_PLACES: usize = 2;

// Multipliers of joints.

/// Share of the residuals that may be left, to first order (1, 1e-6 to 1e-2; usually 1e-4). Higher:
/// more renewals. Lower: iterations for an opening that the next renewal closes anyway.
pub(crate) const MULTIPLIERS_LEFT: f64 = 1e-4;

/// Largest number of iterations for the multipliers (1, 30 to 200). Higher: time is lost where the
/// preconditioner does not help. Lower: more renewals in large mechanisms.
pub(crate) const MULTIPLIERS_MOST_ITERATIONS: usize = 60;

/// Eigenvalue of `k S` that is added to all of them (1, 1e-8 to 1e-5; usually 1e-6). Forces against
/// which nothing moves have the eigenvalue 0: joints that repeat each other can pull against each
/// other. Higher: the longest waves of chains of 100,000 links, which have 1e-6, close slowly. Lower:
/// linkages with a redundant bar get huge forces at their dead centres.
pub(crate) const MULTIPLIERS_LEAST_EIGENVALUE: f64 = 1e-6;

/// Renewals of a stage after which that eigenvalue grows to ten times (1, 3 to 10). Higher: linkages at
/// dead centres take longer. Lower: long chains do, which need all their waves.
pub(crate) const MULTIPLIERS_PATIENCE: i32 = 4;

/// Largest eigenvalue that is added (1, 1e-4 to 1e-2). Higher: forces of all joints follow late.
/// Lower: slow linkages may fail where several bars are in line.
pub(crate) const MULTIPLIERS_MOST_EIGENVALUE: f64 = 1e-3;

/// Eigenvalue of the coupling of rows (1, 1e-3 to 10) below which rows count as nearly dependent, and all
/// directions close joints. Rows of cranks at an angle `a` from their dead centre have about `1e4 a^2`:
/// 1 is half a degree. Higher: linkages far from dead centres change their forces in each iteration.
/// Lower: near dead centres directions leave the branch of the linkage before joints are closed.
pub(crate) const MULTIPLIERS_DEPENDENT: f64 = 1.0;

/// Turn of a body in a step (rad, 0.003 to 0.02) beyond which rows do not count as nearly dependent. Higher:
/// directions that turn bodies far make forces of redundant bars against each other. Lower: linkages that
/// pass dead centres at that speed under load may fail.
pub(crate) const MULTIPLIERS_SLOW: f64 = 0.01;

/// Eigenvalue that is added to all where rows are nearly dependent (1, 1e-11 to 1e-9). Higher: forces at
/// a dead centre grow too slowly to hold a load. Lower: rounding of the coupling, about 1e-12, becomes
/// forces of redundant bars against each other.
pub(crate) const MULTIPLIERS_LEAST_DEPENDENT: f64 = 1e-10;

/// Renewals of nearly dependent rows after which directions close joints only where these are open (1, 10
/// to 30). Higher: rounding of large forces keeps a solve at a dead centre from its end. Lower: forces
/// are let be before they balance.
pub(crate) const MULTIPLIERS_MOST_DEPENDENT: usize = 20;

/// Largest number of constraints of a node that are coupled with each other in the preconditioner
/// (1, 64: more than in any lattice). A body that carries a crowd has more. Higher: all their pairs
/// make the matrix full. Lower: more iterations where several joints meet.
pub(crate) const SCHUR_MOST_SHARED: usize = 64;

// Friction.

/// Number of directions of a solve in which friction leads: it has the normal forces that the
/// direction leads to (1, 32 to 128; usually 64). Higher: more directions without a fixed point.
/// Lower: friction is renewed only at minima in more solves, which takes more directions in all.
pub(crate) const FRICTION_LEADING: usize = 64;

/// Number of directions with leading friction, none half as long as the shortest one before, after which it
/// leads no more among bodies that do not deform (1, 8 to 24; usually 12). Higher: more directions that go
/// round in circles. Lower: slow solves whose friction would find its fixed point renew it only at minima.
pub(crate) const FRICTION_CIRCLING: usize = 12;

/// Ratio of the imbalance to the one at the renewal before, above which a renewal is held back (1,
/// below 1; usually 0.5). Higher: friction oscillates. Lower: friction that would have converged is
/// held back.
pub(crate) const FRICTION_CALM: f64 = 0.5;

/// Share of the change of loads that a renewal takes when it is held back (1, 0 to 1; usually 0.5).
/// Higher: friction oscillates. Lower: it lags.
pub(crate) const FRICTION_HELD_SHARE: f64 = 0.5;

/// Number of renewals that were held back after which friction stays (1, 2 to 8; usually 4).
/// Higher: more directions without a fixed point. Lower: more steps with friction of an earlier
/// state.
pub(crate) const FRICTION_MOST_HELD: usize = 4;

/// Largest number of substitutions for the friction of one direction (1, 4 to 16; usually 8).
/// Higher: more substitutions for each direction. Lower: more directions where normal forces depend
/// on friction.
pub(crate) const FRICTION_MOST_SUBSTITUTIONS: usize = 8;

// Composite directions.

/// Number of directions of a solve that are not taken whole before one is composite (1, 1 to 5; usually 1).
/// Higher: crowds take more directions. Lower: inner solves in every step.
pub(crate) const COMPOSITE_AFTER: usize = 1;

/// Number of directions of a solve after which none is composite any more (1, 8 to 20; usually 12). Higher:
/// solves in which corners pass each other go round in circles for longer. Lower: crowds take more directions.
pub(crate) const COMPOSITE_MOST: usize = 12;

/// Length of a direction relative to the smallest gap (1, 0.01 to 0.2) below which barriers are nearly
/// quadratic along it. Higher: more directions. Lower: inner solves that change nothing.
pub(crate) const COMPOSITE_NEAR: f64 = 0.02;

/// One in this number of directions is a composite one, in a slow solve of an equilibrium (1, 2 to 16; usually 4).
/// Higher: bodies creep that are pressed on round ones too closely. Lower: inner solves take most of the time where
/// contact does not stop them.
pub(crate) const COMPOSITE_SLOW: usize = 4;

/// Reach of composite directions relative to the largest activation distance (1, 4 to 40; usually 10). Higher:
/// more places in inner solves, whose gaps are less and less linear. Lower: contact cuts more directions.
pub(crate) const COMPOSITE_REACH: f64 = 10.0;

/// Largest number of rounds of inner solves (1, 2 to 6; usually 4). Higher: more inner solves. Lower: friction
/// and the turning of normals have pressures that are too old.
pub(crate) const COMPOSITE_ROUNDS: usize = 4;

/// Largest number of inner solves of a direction (1, 20 to 80; usually 40).
/// Higher: crowds that do not settle cost more. Lower: more directions.
pub(crate) const COMPOSITE_MOST_INNER: usize = 40;

/// Change of the loads of friction from round to round, relative to their size, that ends the rounds (1, 0.005
/// to 0.1; usually 0.02). Higher: more directions. Lower: more inner solves.
pub(crate) const COMPOSITE_ALIKE: f64 = 0.02;

/// Length of an inner step relative to the direction so far that ends a round (1, 0.05 to 0.5; usually 0.3).
/// Higher: more directions. Lower: more inner solves.
pub(crate) const COMPOSITE_SHARE: f64 = 0.3;

/// Length of an inner step relative to the tolerance of the solve that ends a round (1, 0.1 to 1).
/// Higher: more directions. Lower: more inner solves.
pub(crate) const COMPOSITE_TOLERANCE: f64 = 0.3;

/// Largest number of substitutions for the friction of one inner step (1, 2 to 8; usually 3). Higher: more
/// substitutions. Lower: more inner solves.
pub(crate) const COMPOSITE_SUBSTITUTIONS: usize = 3;

/// Share of an inner step below which friction that follows it is wrong (1, 0.05 to 0.5); at half of it the expected
/// friction is forgotten. Higher: friction lags more often. Lower: more inner solves.
pub(crate) const COMPOSITE_POOR: f64 = 0.2;

/// Share of an inner step below which a round ends (1, 1e-5 to 1e-2). Higher: rounds end before their minimum.
/// Lower: steps that do not matter.
pub(crate) const COMPOSITE_LEAST: f64 = 1.0 / 4096.0;

/// Change `|G(p) - p|` relative to `|G(p)|`, below which friction leads to where it was taken (1,
/// 1e-4 to 0.5; usually 0.05). Higher: more directions. Lower: more substitutions for each.
pub(crate) const ANDERSON_ALIKE: f64 = 0.05;

/// Part of a change that is independent of the changes before, relative to the first direction,
/// below which rounding decides about it (1, 1e-10 to 1e-6). Higher: substitutions end early.
/// Lower: rounding is extrapolated.
pub(crate) const ANDERSON_ROUNDING: f64 = 1e-8;

/// Relative excess of a friction force over its bound that counts as rounding (1, 1e-9 to 1e-3).
/// Higher: the report hides lagged friction. Lower: it counts contacts for rounding.
pub(crate) const FRICTION_EXCESS: f64 = 1e-6;

/// Rounding of times relative to a step (1), up to which slip counts from the start of the step.
///
/// Usually 1e-6. Higher: integrators that reach back creep. Lower: implicit Euler takes off slip of
/// a time that is rounding.
pub(crate) const TIME_ROUNDING: f64 = 1e-6;

// Modes of bodies.

/// Fields that are iterated besides the wanted modes (1, 4 to 20). Higher: iterations take longer.
/// Lower: more iterations.
pub(crate) const MODES_GUARDS: usize = 8;

/// Largest number of iterations for modes (1, usually below 30 are taken). Higher: modes that do
/// not converge take longer. Lower: modes of equal frequency may mix.
pub(crate) const MODES_MOST_ITERATIONS: usize = 200;

/// Relative change of the squared frequencies below which they have converged (1, 1e-13 to 1e-9).
/// Higher: modes are inexact. Lower: rounding keeps them from it.
pub(crate) const MODES_CONVERGED: f64 = 1e-12;

/// Shift that makes the stiffness positive definite, relative to the mean of stiffness over mass
/// (1, 1e-8 to 1e-4). Higher: slower convergence. Lower: rigid motions leave no digits to the other
/// modes.
pub(crate) const MODES_SHIFT: f64 = 1e-6;

// Integrators and adaptive steps.

/// Largest ratio of the lengths of a step and of the one before it for which differences reach back
/// (1, 1 to 2.4). Higher: differences amplify the changes of the short step; beyond `1 + sqrt 2` a
/// sequence of them is unstable (Grigorieff 1983), and an impact in the short step is multiplied.
/// Lower: more steps are implicit Euler.
pub(crate) const BDF2_MOST_RATIO: f64 = 2.0;

/// Length of the next substep, relative to the length that would just keep the tolerance (1, 0.8 to
/// 0.95). Higher: more substeps are rejected. Lower: more are needed.
pub(crate) const SUBSTEP_SAFETY: f64 = 0.9;

/// Largest ratio of the lengths of two substeps that follow each other (1, 2; differences of second
/// order reach back no further, see [`BDF2_MOST_RATIO`]). Higher: differences are unstable. Lower:
/// more substeps after an impact.
pub(crate) const SUBSTEP_MOST_GROWTH: f64 = 2.0;

/// Smallest ratio of the lengths of two substeps that follow each other (1, 0.1 to 0.5). It matters
/// only after a substep of the smallest length, which is accepted whatever its error is. Higher:
/// the next substep is longer than the error allows. Lower: no effect, since no substep is shorter
/// than the smallest.
pub(crate) const SUBSTEP_LEAST_GROWTH: f64 = 0.2;

/// Least and largest length after a rejected substep, relative to it (1, 0.1 and 0.9). Higher:
/// several attempts are rejected. Lower: substeps are shorter than necessary.
pub(crate) const SUBSTEP_REJECTED: [f64; 2] = [0.1, 0.9];

/// Length after a substep that was not solved, relative to it (1, 0.1 to 0.5). Higher: several
/// attempts fail. Lower: substeps are shorter than necessary.
pub(crate) const SUBSTEP_UNSOLVED: f64 = 0.25;

/// Share by which a substep may be longer than its control asks for, so that rounding divides
/// nothing (1, 1e-12 to 1e-6). Higher: substeps exceed the control. Lower: rounding leaves a last
/// substep of almost no length.
pub(crate) const SUBSTEP_ROUNDING: f64 = 1e-9;

// Fallbacks of a step.

/// Share of the usual displacement to contact that a direction may take under the tighter filter
/// (1, 0.1 to 0.5). Higher: the fallback hardly differs from the usual method. Lower: more
/// directions.
pub(crate) const TIGHTER_REACH: f64 = 1.0 / 3.0;

/// Number of directions that are scaled gradients (1, 30 to 300). Higher: the fallback takes
/// longer. Lower: Newton's method begins where it has failed.
pub(crate) const MOST_GRADIENTS: usize = 100;

/// Number of times that half of an increment is halved again where friction goes round in circles in statics (1, 0 to
/// 6). Higher: increments without a balance of friction take longer. Lower: more of them end with outdated friction,
/// which the run reports.
pub(crate) const LATE_MOST_HALVINGS: usize = 3;

/// Number of times that a step may be halved (1, 2 to 8). Higher: a step that cannot be solved
/// takes longer until it fails. Lower: steps fail that short spans would solve.
pub(crate) const STEP_MOST_HALVINGS: usize = 4;

/// Number of times that a step may be halved whose direct motion cuts through a body (1, 10 to 20):
/// nothing else helps there, and a body of 10 mm at 10 km/s moves by its own size in 1 us. Higher:
/// up to `2^n` spans with `n` halvings. Lower: fast bodies fail.
pub(crate) const CUT_MOST_HALVINGS: usize = 16;

/// Largest ratio of the lengths of two spans of a divided step that follow each other (1, 1 to 4).
/// The contact that has stopped a body in a short span still presses. Higher: it is pushed along
/// another normal at the end of a long span. Lower: more spans.
pub(crate) const SPAN_MOST_GROWTH: f64 = 2.0;

// Options of a step.

/// Number of times that an increment of statics is solved again with barriers that reach less far (1,
/// 4 to 20). Higher: stiff pairs that cannot rest closely cost iterations in vain. Lower: gaps of
/// closures remain.
pub(crate) const REST_MOST_ROUNDS: usize = 10;

/// Jump of the speed of a contact in a step, relative to the speed that gravity gives in one, from which on
/// it is an impact (1, 0.5 to 1; usually 0.6). Higher: what lands softly rocks on by forces that are over.
/// Lower: what falls with its support counts as hit by it.
pub(crate) const CAUGHT_FALL: f64 = 0.6;

/// Jump of the speed of a contact in a step, relative to the speed of its bodies, from which on it is an
/// impact (1, 5e-4 to 0.02). Higher: impacts at a small angle return energy. Lower: what turns with a
/// wheel counts as hit by it.
pub(crate) const CAUGHT_JUMP: f64 = 0.002;

/// Speed at rest, relative to the speed that the loads give a body on a displacement by its own
/// size; of the acceleration likewise (1, 1e-4 to 1e-2; usually 1e-3). Higher: a body that creeps
/// counts as at rest. Lower: the tolerance of Newton's method hides rest.
pub(crate) const REST_SPEED: f64 = 1e-3;

/// Least and largest share `a` of the change of velocity in a stage that the energy correction adds
/// to it (1, -0.5 and 2). At -1 forces would not have acted at all, at 1 twice. Higher: the
/// correction throws bodies. Lower: below -0.5 a body that an impact has stopped would go on as
/// before instead of rebounding; with a largest share of less than 1.5 it would not rebound as fast
/// as it came.
pub(crate) const CORRECTION_BOUNDS: [f64; 2] = [-0.5, 2.0];

/// Loss of a flight that counts as none, relative to the energy of the change of its velocity by
/// forces (1, 1e-12 to 1e-6). Higher: small losses add up. Lower: rounding is corrected.
pub(crate) const CORRECTION_ROUNDING: f64 = 1e-9;

/// Speed across a contact at rest, as a share of the speed up to which its pair stays together (1,
/// 1e-4 to 1e-2; usually 1e-3). Higher: bodies creep out of the reach of their barriers. Lower:
/// velocities are computed anew where nothing moves.
pub(crate) const IMPACT_STILL: f64 = 1e-3;

/// Rounds of reflections (1, 1000). A row of `n` balls needs `n - 1`, a crowd some tens. Higher:
/// large crowds take longer. Lower: bodies that still approach are stopped instead of reflected.
pub(crate) const REFLECT_MOST_ROUNDS: usize = 1000;

/// Growth of the kinetic energy in one instant that counts as rounding, as a share of it (1, 1e-14 to
/// 1e-9; usually 1e-12). Higher: many impacts may add up to a gain. Lower: rounding lowers coefficients.
pub(crate) const REFLECT_ENERGY: f64 = 1e-12;

/// Halvings in the search for the coefficients that raise no energy (1, 10 to 50; usually 30). Higher:
/// time. Lower: more energy is lost than Newton's law needs.
pub(crate) const REFLECT_HALVINGS: usize = 30;

/// Sweeps over all contacts and joints of an impact (1, 1000). A stack of `n` bodies needs about `n^2`.
/// Higher: tall stacks take longer. Lower: some pairs still approach a little, while the energy
/// stays below its value at the start.
pub(crate) const IMPULSES_MOST_SWEEPS: usize = 1000;

/// Largest change of a velocity in the last sweep, as a share of the fastest approach (1, 1e-12 to
/// 1e-6). Higher: pairs still approach. Lower: rounding keeps sweeps going.
pub(crate) const IMPULSES_ACCURACY: f64 = 1e-10;

/// Velocity along a normal by an impulse in the cone of friction, relative to that by a normal impulse,
/// below which no impulse of the cone opens the contact (1, 1e-12 to 1e-6; usually 1e-9). Higher:
/// friction lets go too early. Lower: impulses without bound.
pub(crate) const IMPULSES_LEAST_SOFTNESS: f64 = 1e-9;

/// Energy that contacts may add as rounding, as a share of all energies of the bodies (1, 1e-12 to
/// 1e-9; usually 1e-10). Higher: a gain that adds up. Lower: velocities at rest are changed for
/// rounding.
pub(crate) const ENERGY_BOUND_ROUNDING: f64 = 1e-10;

/// Change of the velocity of a body by other forces than loads and contacts, relative to the imbalance of
/// the step, up to which it feels loads and contacts only (1, 1 to 100; usually 10). Higher: weak springs
/// count as contacts. Lower: the imbalance of a step counts as a force.
pub(crate) const ENERGY_BOUND_OTHERS: f64 = 10.0;

// Statics.

/// Most that an increment is expected to go on as the last one, relative to it (1, 1 to 4). Higher: a
/// predictor leads far from where it is known. Lower: increments that grow begin too early.
pub(crate) const EXTRAPOLATED_MOST: f64 = 2.0;

/// Factor of the mass that holds bodies back, from one round to the next; its square after a round in which
/// the force fell by more (1, 1e-3 to 0.1). Higher: more rounds. Lower: directions reach farther than
/// their model is valid.
pub(crate) const STATICS_FALL: f64 = 0.01;

/// Largest number of rounds (1, 12). The mass is then far below the rounding of any stiffness.
/// Higher: no effect. Lower: soft bodies do not come to equilibrium.
pub(crate) const STATICS_MOST_ROUNDS: usize = 12;

/// Ratio of two forces that hold a body back, above which a round has not helped (1, 0.2 to 0.9).
/// Higher: bodies that fall are noticed late. Lower: slow convergence counts as a fall.
pub(crate) const STATICS_STALLED: f64 = 0.5;

/// Number of rounds in a row that have not helped, after which a load counts as carried by nothing
/// (1, 2 to 6). A body may fall by 10 to the number of rounds times its size until it meets
/// something. Higher: bodies without support fall farther before the solve fails. Lower: bodies
/// that fall onto something fail.
pub(crate) const STATICS_MOST_STALLED: usize = 4;

/// Largest number of searches of an increment that begin again where friction has kept the normal forces of another
/// state (1, 1 to 20). Higher: increments in which friction circles take longer. Lower: more of them are halved.
pub(crate) const STATICS_MOST_LATE: usize = 2;

/// First and largest mass of damped motion (1, 10 to 1000): a body moves by up to a hundredth of
/// its size in a round. Higher: more rounds. Lower: bodies leave the branch that they would follow.
pub(crate) const DAMPED_MOST_MASS: f64 = 100.0;

/// Factor of the mass of damped motion after a round in which forces fell (1, 0.5 to 0.9). Higher:
/// more rounds. Lower: steps become long before forces rise again.
pub(crate) const DAMPED_FASTER: f64 = 0.7;

/// Factor of the mass of damped motion after a round in which forces grew (1, 3 to 100). Higher:
/// more rounds. Lower: steps are too long where a fall of forces turns into a rise.
pub(crate) const DAMPED_SLOWER: f64 = 10.0;

/// Largest number of rounds of damped motion (1, 300 to 3000). Higher: a body that never comes to
/// rest takes longer until it fails. Lower: long falls fail.
pub(crate) const DAMPED_MOST_ROUNDS: usize = 1000;

/// Least mass with which stiffness is tested at the end (1, 1e-4 to 1e-2): far above the rounding
/// of stiff contacts. Higher: soft bodies count as loose. Lower: rounding decides.
pub(crate) const STATICS_PROBING: f64 = 1e-3;

/// Ratio of the energy that is released on the path to equilibrium to the work `1/2 |f . dq|` of
/// the forces that were missing at the start, above which a body has snapped (1, 2 to 5). It is 1
/// where forces fall in proportion to the displacement and 2 where they stay until a contact stops
/// the body. Above 2 forces have grown on the path, which only an instability explains. Higher:
/// small snaps are missed. Lower: falls onto a contact count as snaps.
pub(crate) const STATICS_SNAPPED: f64 = 3.0;

/// Change of the forces at the ends of edges under pressure, relative to the largest force of loads on a
/// vertex, below which an equilibrium has the forces of its configuration (1, 1e-11 to 1e-8). Higher:
/// it is not that of the deformed edge. Lower: rounding asks for more rounds.
pub(crate) const FOLLOWED_CLOSE: f64 = 1e-9;

/// Largest number of rounds in which these forces are renewed (1, 20 to 100). Each reduces their
/// change by the ratio of pressure to stiffness. Higher: an increment without such an equilibrium
/// takes longer until it fails. Lower: soft bodies under large pressures fail.
pub(crate) const FOLLOWED_MOST_ROUNDS: usize = 40;

/// Energy relative to all energies below which a release is rounding (1, 1e-12 to 1e-6). Higher:
/// snaps of small parts are missed. Lower: rounding counts as a snap.
pub(crate) const STATICS_RELEASE: f64 = 1e-9;

// Arc length.

/// Largest number of directions in an increment (1, 20 to 100): a path that needs more has turned
/// too far in it. Higher: increments that fail take longer. Lower: sharp bends are divided into
/// more parts.
pub(crate) const PATH_MOST_DIRECTIONS: usize = 40;

/// Part of the largest change of load time over which derivatives by it are differences (1, 1e-8 to
/// 1e-4). Higher: they are inexact where loads are curved. Lower: rounding.
pub(crate) const PATH_DIFFERENCE: f64 = 1e-6;

/// Largest error of the squared length of an increment (1, 1e-9 to 1e-2). The state is in
/// equilibrium whatever its distance is. Higher: increments differ in length. Lower: more
/// directions.
pub(crate) const PATH_INEXACT: f64 = 1e-6;

/// Largest number of halvings of a direction (1, 4 to 16). Higher: increments that fail take
/// longer. Lower: more increments are divided.
pub(crate) const PATH_MOST_HALVINGS: usize = 8;

/// Share of a direction by which the next correction must be shorter (1, 0 to 1; usually 0.25).
/// Higher: directions are halved without need. Lower: directions that hardly help are taken.
pub(crate) const PATH_CONTRACTION: f64 = 0.25;

/// Smallest part of an increment (1, ten halvings). Higher: increments at sharp bends fail. Lower:
/// paths that end take longer until they fail.
pub(crate) const PATH_LEAST_PART: f64 = 1.0 / 1024.0;

/// Part of an increment from which on a corner of the path is searched as well (1, 1/16 to 1/2). A
/// path that bends turns less on a shorter part, but where a contact closes or opens the load turns
/// round at once. Higher: corners are searched where a shorter part would do. Lower: several
/// attempts fail first.
pub(crate) const PATH_CORNER: f64 = 1.0 / 8.0;

/// Largest ratio of the lengths of two parts that follow each other (1, 1.5 to 4). Higher: parts
/// after a bend fail. Lower: more parts.
pub(crate) const PATH_GROWTH: f64 = 2.0;

// Pressure.

/// Part of a piece's length, projected along its force, from which on the piece counts with its length
/// (1, 0.2 to 0.8). Others are sides that lead away from contact. Higher: steep flanks count as ends of
/// a patch. Lower: free sides at corners count as pressed.
pub(crate) const FACING: f64 = 0.5;

/// Ratio of the length of a quadratic side to the sides opposite from which on it distributes their
/// forces (1, 1 to 1.2). Higher: shorter edges show the alternating forces of the side. Lower: rounding
/// decides between sides of one length.
pub(crate) const LONGER_SIDE: f64 = 1.05;

/// Largest hole in a contact, relative to the longest side at it, that counts as contact for pressures
/// (1, 1 to 1.5). Stiff contact bears force at some places of a side only, and is open between. Higher:
/// contacts near each other count as one. Lower: pressures are too high.
pub(crate) const HOLE: f64 = 1.2;

/// Cosine of the turn of an outline from which on a corner is sharp, and contact may end there (1, 0 to
/// 0.7). Higher: corners of coarse round outlines count as ends. Lower: contact spreads around blunt
/// corners.
pub(crate) const SHARP: f64 = 0.5;

/// Part of the difference of two pressures that neighbours exchange where pressures alternate, relative
/// to the shorter length (1, 0.125 to 0.25). Higher: alternating pressures change sides. Lower: meshes
/// that do not match are seen in pressures.
pub(crate) const EXCHANGED: f64 = 0.25;

/// Part of an edge by which the end of one body may be beyond the end of the other, where both end at
/// one place (1, 0.01 to 0.2). Higher: contact spreads to corners that are free. Lower: strains decide
/// whether it reaches a common end.
pub(crate) const SAME_END: f64 = 0.05;

/// Largest number of edges opposite to the hole before a corner (1, 8 to 64). Higher: time. Lower: the
/// last vertices of fine meshes have too high pressures on coarse ones.
pub(crate) const MOST_EDGES: usize = 16;

/// Extents of all surfaces of a scene that repeats, in periods (1): the one at which a solve fails, and
/// the one that no motion exceeds (below 2). From 2 on surfaces could meet images that are not there.
/// Higher: bodies may drift farther apart. Lower: cells whose parts reach into others are refused.
pub(crate) const CELL_EXTENT: [f64; 2] = [1.8, 1.9];

/// Largest number of iterations for the flow of gas through pipes with a resistance (1, 60; mostly 2 to 6).
/// Lower: gas at a tiny pressure may keep a wrong amount. Higher: time where nothing is gained.
pub(crate) const FLOW_MOST_ITERATIONS: usize = 60;

/// Change of an amount of gas, relative to it, at which the iteration for its flow ends (1, 1e-14: the rounding
/// of sums). Higher: amounts depend on the iteration. Lower: the iteration never ends by itself.
pub(crate) const FLOW_ROUNDING: f64 = 1e-14;

/// Largest number of tries for the lengths of tightened sections in a step (1, 10 to 60; mostly 2 to 6). Lower:
/// bolts over wide gaps fail. Higher: time before a failure.
pub(crate) const TIGHTENING_MOST_TRIES: usize = 40;

/// Share of the force of a tightened section by which it may be off (1, 1e-8 to 1e-4). Higher: wrong forces. Lower:
/// the tolerance of Newton's method shows.
pub(crate) const TIGHTENING_EXACT: f64 = 1e-6;

/// Strain of the piece at a tightened section whose force counts as none (1, 1e-12 to 1e-8). Higher: bolts that
/// are let go keep a force. Lower: rounding shows.
pub(crate) const TIGHTENING_LEAST: f64 = 1e-9;

/// Strain of the piece by which its stiffness is found (1, 1e-8 to 1e-4). Higher: laws that are not linear
/// show. Lower: rounding shows.
pub(crate) const TIGHTENING_PROBE: f64 = 1e-6;

/// Growth of the largest change of a section's length from try to try (1, 2 to 30). Higher: the search may leap
/// beyond what parts can take. Lower: soft parts take many tries.
pub(crate) const TIGHTENING_GROWTH: f64 = 8.0;

/// Largest number of tries in a step that are not solved and halve the change of lengths (1, 4 to 20). Lower: steps
/// fail that a shorter change would solve. Higher: time before a failure.
pub(crate) const TIGHTENING_MOST_RETURNS: usize = 8;

/// Least growth of a force by the length of its section, of the stiffness of the piece (1, 1e-4 to 1e-2). Higher:
/// bolts of soft parts take many tries. Lower: noise decides where nothing is clamped yet.
pub(crate) const TIGHTENING_SOFTEST: f64 = 1e-3;

/// Number of tries after which the force of a section may be off by ten times as much with every second try, up
/// to a thousand times (1, 5 to 12). Higher: time where Newton's method stops earlier. Lower: forces are less exact
/// than they could be.
pub(crate) const TIGHTENING_PATIENCE: usize = 6;

/// Part of a step by which its start may be before the time at which a section is locked, by rounding (1, 1e-12 to
/// 1e-6). Higher: sections are locked a step early. Lower: they are tightened a step longer.
pub(crate) const TIGHTENING_LATE: f64 = 1e-9;

/// Tolerance of Newton's method in steps with sections that are tightened, of the usual one (1, 1e-4 to 1e-1).
/// Higher: forces across sections are less exact, and tries follow noise. Lower: directions that change nothing.
pub(crate) const TIGHTENING_NEWTON: f64 = 1e-3;

/// Largest imbalance of forces relative to that tolerance (1, 0.01 to 0.5; below 1, or directions are those of the book).
/// Higher: forces across sections are less exact. Lower: directions that change nothing.
pub(crate) const TIGHTENING_BALANCE: f64 = 0.1;
