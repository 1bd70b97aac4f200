use super::*;

/// A square as files held it before they had circles, points and filters.
const OLD: &str = r#"{ "vertices_rest": [[0, 0], [1, 0], [1, 1], [0, 1]], "triangles": [[0, 1, 2], [0, 2, 3]],
    "springs": [], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]], "body": [0, 0, 0, 0],
    "bodies": [{ "name": "a", "kind": "solid", "first_vertex": 0, "vertex_count": 4 }], "planes": [] }"#;

#[test]
fn an_old_file_is_one_of_filled_bodies() {
    let mesh: MeshFile = serde_json::from_str(OLD).unwrap();
    assert!(mesh.layout().turning.is_empty());
    assert!(mesh.is_consistent() && mesh.bodies[0].filled);
    let colliders = mesh.colliders();
    assert_eq!(
        (colliders.outlines().edges, colliders.outlines().filled),
        (&mesh.edges[..], &[true][..])
    );
}

#[test]
fn facets_of_a_quadratic_triangle_must_be_where_it_says() {
    let mut mesh: MeshFile = serde_json::from_str(OLD).unwrap();
    mesh.vertices_rest = [[0, 0], [2, 0], [0, 2], [1, 0], [1, 1], [0, 1]]
        .map(|x: [i32; 2]| x.map(f64::from))
        .to_vec();
    mesh.body = vec![0; 6];
    mesh.bodies[0].vertex_count = 6;
    let curved = |first| Curved {
        nodes: [0, 1, 2, 3, 4, 5],
        first,
    };
    mesh.triangles = vec![[0, 1, 2]];
    mesh.triangles.extend(curved(1).facets());
    mesh.quadratic = vec![curved(1)];
    assert!(mesh.is_consistent());
    assert_eq!(mesh.linear_triangles(), [[0, 1, 2]]);

    for first in [0, 2, usize::MAX] {
        mesh.quadratic = vec![curved(first)];
        assert!(!mesh.is_consistent(), "{first}");
    }
}

#[test]
fn circles_and_points_collide_and_must_name_vertices() {
    let mesh: MeshFile = serde_json::from_str(OLD).unwrap();
    let disk = DiskEntry {
        center_vertex: 1,
        rim_vertex: 2,
        radius: 0.5,
    };
    let with = |disk, points: &[usize]| MeshFile {
        disks: vec![disk],
        points: points.to_vec(),
        ..mesh.clone()
    };

    let good = with(disk, &[3]);
    assert!(good.is_consistent());
    assert_eq!(good.colliders().outlines().edges[4..], [[3, 3], [1, 1]]);
    assert_eq!(good.colliders().outlines().radius, [0.0, 0.5, 0.0, 0.0]);

    // A triangle of two bodies, and vertices that do not exist.
    let mut split = mesh.clone();
    split.bodies.push(BodyEntry {
        first_vertex: 3,
        vertex_count: 1,
        ..mesh.bodies[0].clone()
    });
    split.body[3] = 1;

    let bad = [
        split,
        with(disk, &[4]),
        with(
            DiskEntry {
                center_vertex: 4,
                ..disk
            },
            &[],
        ),
        with(
            DiskEntry {
                rim_vertex: 4,
                ..disk
            },
            &[],
        ),
    ];
    assert!(bad.iter().all(|mesh| !mesh.is_consistent()));
}

#[test]
fn turning_bodies_must_have_vertices_that_exist() {
    let mut mesh: MeshFile = serde_json::from_str(OLD).unwrap();
    mesh.bodies[0].turns = true;
    assert!(mesh.is_consistent());
    assert_eq!(mesh.layout().turn_of(), [1; 4]);
    assert!(mesh.agrees_with(&serde_json::from_str(OLD).unwrap()));
    for count in [5, usize::MAX] {
        mesh.bodies[0].vertex_count = count;
        assert!(!mesh.is_consistent());
    }
}
