//! Codes of problems, for programs: a code stays where a message is worded better.

/// Kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// A value that is out of range, does not fit another one, or names something that does not exist.
    Value,
    /// A text that is no scene: wrong JSON, keys or types.
    Syntax,
    /// More memory than there is, or a mesh that no machine makes.
    Memory,
    /// More contacts at the start than can be computed with.
    Crowd,
    /// Lengths that rounding loses.
    Digits,
    /// Bodies that overlap at the start.
    Overlap,
    /// Bodies that start nearer to each other than contact allows or means.
    Clearance,
    /// Probes and sections outside of their bodies.
    Sample,
    /// Curves, meshes, joints and loads that cannot be built, or not well.
    Build,
    /// Numbers that look as if they were in another unit.
    Unit,
    /// Changes after the end of the run.
    Late,
    /// Belts that nothing feels.
    Belt,
    /// Masses, stiffnesses and sizes that are too far apart.
    Proportion,
    /// Triangles that are too stiff.
    Locking,
    /// Bodies that the barrier pushes apart at the start.
    Pushed,
    /// Speeds and rates that the time step does not resolve.
    Rate,
    /// Limits of the integrator.
    Integrator,
    /// Linkages that cannot move as the scene says.
    Linkage,
    /// Pressures whose force is not taken at the end of a step.
    Pressure,
    /// Pressures that may press a body flat.
    Crushing,
    /// Scripted motion that passes through something.
    Sweep,
    /// Bodies of many fields, which take long.
    Work,
    /// Results that fill the disk, or a table.
    Disk,
    /// Joints that repeat each other.
    RepeatedJoints,
    /// Contents of a file that were changed or left out.
    File,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 25] = [
        Self::Value,
        Self::Syntax,
        Self::Memory,
        Self::Crowd,
        Self::Digits,
        Self::Overlap,
        Self::Clearance,
        Self::Sample,
        Self::Build,
        Self::Unit,
        Self::Late,
        Self::Belt,
        Self::Proportion,
        Self::Locking,
        Self::Pushed,
        Self::Rate,
        Self::Integrator,
        Self::Linkage,
        Self::Pressure,
        Self::Crushing,
        Self::Sweep,
        Self::Work,
        Self::Disk,
        Self::RepeatedJoints,
        Self::File,
    ];

    /// Name of the code in results for programs, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Syntax => "syntax",
            Self::Memory => "memory",
            Self::Crowd => "crowd",
            Self::Digits => "digits",
            Self::Overlap => "overlap",
            Self::Clearance => "clearance",
            Self::Sample => "sample",
            Self::Build => "build",
            Self::Unit => "unit",
            Self::Late => "late",
            Self::Belt => "belt",
            Self::Proportion => "proportion",
            Self::Locking => "locking",
            Self::Pushed => "pushed",
            Self::Rate => "rate",
            Self::Integrator => "integrator",
            Self::Linkage => "linkage",
            Self::Pressure => "pressure",
            Self::Crushing => "crushing",
            Self::Sweep => "sweep",
            Self::Work => "work",
            Self::Disk => "disk",
            Self::RepeatedJoints => "repeated_joints",
            Self::File => "file",
        }
    }
}
