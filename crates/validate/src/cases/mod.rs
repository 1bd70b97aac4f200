//! All cases, one file each.
//!
//! A case is added by a file with a constant `CASE` and by its line below. The first word of its
//! name is the subject: rest, friction, elastic, plastic, load, impact, motion, rock, joint, static, rod, grain, axis, chamber or
//! invariance.

use super::case::Case;

/// Declares the files of cases and lists their cases in the same order.
macro_rules! cases {
    ($($file:ident,)*) => {
        $(mod $file;)*

        /// All cases, in the order of the report.
        pub const ALL: &[Case] = &[$($file::CASE),*];
    };
}

cases! {
    rest_gap,
    rest_pair,
    rest_edges,
    rest_kinds,
    rest_stack,
    rest_groove,
    rest_separation,
    rest_polygon,
    rest_patch,
    rest_column,
    rest_overhang,
    friction_slope,
    friction_creep,
    friction_anchors,
    friction_partial_slip,
    friction_defaults,
    friction_start,
    friction_stop,
    friction_kinetic,
    friction_rolling,
    friction_wheel,
    friction_resistance,
    friction_belt,
    friction_conveyor,
    friction_incline,
    friction_impact,
    friction_bore,
    friction_tilt,
    friction_tip,
    friction_ladder,
    friction_cylinders,
    friction_capstan,
    friction_gradient,
    friction_painleve,
    friction_wedge,
    friction_drawer,
    friction_stick_slip,
    elastic_compression,
    elastic_plane,
    elastic_sheet,
    elastic_patch,
    elastic_six_nodes,
    elastic_cook,
    elastic_dilatation,
    elastic_hanging,
    elastic_cantilever,
    elastic_locking,
    elastic_unstructured,
    elastic_hole,
    elastic_regions,
    elastic_heat,
    elastic_gradient,
    plastic_bar,
    plastic_ring,
    plastic_strip,
    plastic_punch,
    plastic_upset,
    elastic_elastica,
    elastic_buckling,
    elastic_hertz,
    elastic_wedge,
    elastic_press,
    elastic_punch,
    elastic_waves,
    elastic_cylinder,
    elastic_shrink,
    elastic_bolt,
    elastic_brazilian,
    load_bar,
    load_tip,
    load_ring,
    load_torque,
    load_gradient,
    motion_flight,
    motion_gradient,
    motion_torque,
    motion_spin,
    motion_energy,
    motion_bullets,
    motion_elevator,
    motion_oscillator,
    motion_adaptive,
    motion_damping,
    motion_amplification,
    motion_newmark,
    motion_orders,
    motion_ledger,
    motion_flag,
    rock_quarter,
    rock_ratio,
    rock_dominoes,
    rock_arch,
    rock_prism,
    impact_momentum,
    impact_spin,
    impact_bar,
    impact_bars,
    impact_integrators,
    impact_gradient,
    impact_circles,
    impact_restitution,
    impact_cradle,
    impact_pendulums,
    impact_two_bars,
    grain_hopper,
    grain_silo,
    joint_pendulum,
    joint_linkage,
    joint_rod,
    joint_bracket,
    joint_periods,
    joint_double_pendulum,
    joint_slider_crank,
    joint_truss,
    joint_weld,
    joint_ties,
    joint_rope,
    joint_gear,
    joint_brake,
    joint_ledger,
    joint_cylinder,
    joint_drives,
    joint_cam,
    joint_geneva,
    joint_ratchet,
    joint_folded_chain,
    static_rest,
    static_incline,
    static_csm,
    static_elastica,
    static_snap,
    static_path,
    static_lee,
    static_start,
    rod_elastica,
    rod_buckling,
    rod_catenary,
    rod_capstan,
    rod_ring,
    rod_walls,
    rod_strip,
    rod_mooring,
    rod_atwood,
    rod_belt_drive,
    chamber_piston,
    chamber_balloon,
    chamber_pipe,
    chamber_flow,
    chamber_spring,
    chamber_airbag,
    axis_patch,
    axis_lame,
    axis_plate,
    axis_washer,
    axis_balloon,
    axis_fit,
    axis_cone,
    axis_hertz,
    axis_punch,
    axis_seal,
    axis_motion,
    cell_laminate,
    cell_window,
    cell_wave,
    cell_pattern,
    cell_crush,
    cell_middle,
    cell_grains,
    cell_frame,
    cell_chiral,
    invariance_rotation,
    invariance_mirror,
    invariance_place,
    invariance_galilean,
    invariance_scale,
    invariance_order,
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn names_are_those_of_files_and_differ() {
        let names: BTreeSet<&str> = ALL.iter().map(|case| case.name).collect();
        assert_eq!(names.len(), ALL.len());

        for name in names {
            let file = format!("src/cases/{name}.rs");
            assert!(Path::new(&file).exists(), "{file}");
        }
    }

    #[test]
    fn every_case_says_what_it_proves_and_from_where() {
        for case in ALL {
            let texts = [case.title, case.proves, case.formula, case.source];
            assert!(texts.iter().all(|text| text.len() > 4), "{}", case.name);
            assert!(case.title.len() <= 64, "{}: {}", case.name, case.title);
        }
    }
}
