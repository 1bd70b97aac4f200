"""Opens the files with fields of a run in meshio and pyvista, and computes their numbers again.

    python check.py RUN EXPORT PICTURE.png

RUN is the folder of tests/fields/scene.json, EXPORT what `ipcsim export RUN --out EXPORT` has written.
Expected values come from trajectory.npy, velocities.npy, mesh.json and the tables, and from the
formulas of the neo-Hookean law, written down here once more. The picture shows the last state.
"""

import csv
import json
import os
import re
import sys
from pathlib import Path

import meshio
import numpy as np
import pyvista

# Of the scene: Young's modulus (Pa), Poisson's ratio, thickness (m).
YOUNG, POISSON, THICKNESS = 2e5, 0.4, 0.5
MU = YOUNG / (2 * (1 + POISSON))
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))


def table(path):
    """Columns of a CSV file by name, as text."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def close(what, found, expected, tolerance, scale=None):
    """Compares arrays; the tolerance is relative to a scale, by default the largest expected value."""
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape, f"{what}: {found.shape} {expected.shape}"
    assert (np.isnan(found) == np.isnan(expected)).all(), f"{what}: other values are missing"
    if scale is None:
        scale = np.nanmax(np.abs(expected), initial=1e-300)
    worst = np.nanmax(np.abs(found - expected), initial=0.0) / scale
    assert worst <= tolerance, f"{what}: off by {worst:.2e}, allowed is {tolerance:.0e}"
    worst_of[what] = max(worst_of.get(what, 0.0), worst)


def deformation(rest, x, triangles):
    """Deformation gradients (triangles, 2, 2) and areas at rest (m^2)."""
    sides = lambda p: np.stack([p[triangles[:, 1]] - p[triangles[:, 0]], p[triangles[:, 2]] - p[triangles[:, 0]]], -1)
    then = sides(rest)
    return sides(x) @ np.linalg.inv(then), 0.5 * np.linalg.det(then)


def neo_hookean(f):
    """Energy density (Pa) and Cauchy stress (triangles, 3, 3) (Pa) in plane strain."""
    j = np.linalg.det(f)
    squares = np.einsum("tij,tij->t", f, f)
    density = 0.5 * MU * (squares - 2) - MU * np.log(j) + 0.5 * LAMBDA * np.log(j) ** 2
    b = np.zeros((len(f), 3, 3))
    b[:, :2, :2] = f @ f.transpose(0, 2, 1)
    b[:, 2, 2] = 1
    one = np.eye(3)
    stress = (MU * (b - one) + LAMBDA * np.log(j)[:, None, None] * one) / j[:, None, None]
    return density, stress


def von_mises(stress):
    """Von Mises value of tensors, from their deviators."""
    deviator = stress - np.trace(stress, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * np.einsum("...ij,...ij->...", deviator, deviator))


def check_state(grid, mesh, k, run, export_has_friction):
    """Compares the file of the k-th state."""
    n = len(run["rest"])
    x = run["trajectory"][k]
    points = np.asarray(grid.points)
    assert (points[:n, :2] == x).all() and (points[:, 2] == 0).all(), "positions have other bits"
    assert (mesh.points == points).all(), "meshio and pyvista read other points"
    close("displacement", grid.point_data["displacement"][:n, :2], x - run["rest"], 0)
    close("velocity", grid.point_data["velocity"][:n, :2], run["velocities"][k], 0)

    # Stress, strain and energy of each triangle, which are the first cells.
    triangles = run["triangles"]
    count = len(triangles)
    f, areas = deformation(run["rest"], x, triangles)
    density, stress = neo_hookean(f)
    elastic = float(run["energies"]["elastic"][k])
    energy = (density * areas).sum() * THICKNESS
    assert abs(energy - elastic) <= 1e-10 * max(elastic, 1e-3), f"{energy} {elastic}"
    cells = {name: np.asarray(values) for name, values in grid.cell_data.items()}
    # A stress of rounding is no stress: its scale is the modulus.
    scale = max(np.abs(stress).max(), 1e-6 * YOUNG)
    close("stress", cells["Cauchy stress"][:count].reshape(-1, 3, 3), stress, 2e-7, scale)
    close("von Mises", cells["von Mises stress"][:count], von_mises(stress), 2e-7, scale)
    principal = np.linalg.eigvalsh(stress)[:, ::-1]
    close("principal", cells["principal stress"][:count], principal, 3e-7, scale)
    strain = np.zeros((count, 3, 3))
    strain[:, :2, :2] = 0.5 * (f.transpose(0, 2, 1) @ f - np.eye(2))
    strained = max(np.abs(strain).max(), 1e-6)
    close("strain", cells["Green-Lagrange strain"][:count].reshape(-1, 3, 3), strain, 2e-7, strained)
    assert np.isnan(cells["von Mises stress"][count:]).all(), "other bodies have no stress"

    # Means at the vertices, weighted by areas at rest.
    sums, weights = np.zeros((len(points), 3, 3)), np.zeros(len(points))
    for corner in triangles.T:
        np.add.at(sums, corner, stress * areas[:, None, None])
        np.add.at(weights, corner, areas)
    with np.errstate(invalid="ignore"):
        means = sums / weights[:, None, None]
    found = grid.point_data["Cauchy stress"].reshape(-1, 3, 3)
    close("mean stress", found, means, 3e-7, scale)

    # Forces on each body are those of the table, and pressure is force over length.
    step = int(grid.field_data["step"][0])
    forces = run["forces"]
    body = np.asarray(grid.point_data["body"])
    normal = np.asarray(grid.point_data["contact force"])[:, :2]
    friction = np.asarray(grid.point_data.get("friction force", np.zeros_like(points)))[:, :2]
    rows = (forces["step"].astype(int) == step) & (forces["kind"] == "contact")
    for number, name in enumerate(run["names"]):
        expected, rubbed = np.zeros(2), np.zeros(2)  # N; blocks here press with about 1,000
        for row in np.flatnonzero(rows):
            sign = {forces["first"][row]: 1, forces["second"][row]: -1}.get(name, 0)
            expected += sign * np.array([forces["force_x"][row], forces["force_y"][row]], float)
            rubbed += sign * np.array([forces["friction_x"][row], forces["friction_y"][row]], float)
        own = body == number
        close("force on a body", normal[own].sum(0) + rubbed, expected, 1e-9, 1e3)
        if export_has_friction:
            close("friction on a body", friction[own].sum(0), rubbed, 1e-9, 1e3)


def check_run(folder, run, states):
    """Opens the list of files in a folder and checks all of them."""
    reader = pyvista.get_reader(folder / "fields.pvd")
    times = run["energies"]["time"].astype(float)
    assert (np.array(reader.time_values) == times).all(), "times of the list"
    for k in range(states):
        reader.set_active_time_point(k)
        grid = reader.read()[0]
        step = int(run["energies"]["step"][k])
        mesh = meshio.read(folder / f"fields/{step:06}.vtu")
        assert mesh.field_data["TimeValue"][0] == times[k]
        assert bytes(mesh.field_data["body names"]).decode().split("\n") == run["names"]
        assert set(mesh.point_data) == set(grid.point_data.keys())
        check_state(grid, mesh, k, run, "friction force" in mesh.point_data)
    return grid


def check_tables(folder, run):
    """Compares probes and sections with the trajectory."""
    probes = table(folder / "probes.csv")
    states = len(run["trajectory"])
    assert len(probes["x"]) == states

    # The probe is in a triangle whose weights follow from its place at rest.
    place = np.array([probes["rest_x"][0], probes["rest_y"][0]], float)
    f, _ = deformation(run["rest"], run["rest"], run["triangles"])
    corners = run["rest"][run["triangles"]]
    sides = np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]], -1)
    second = np.linalg.solve(sides, (place - corners[:, 0])[..., None])[..., 0]
    weights = np.column_stack([1 - second.sum(1), second])
    k = weights.min(1).argmax()
    assert weights[k].min() >= 0
    moving = lambda values: np.einsum("c,scx->sx", weights[k], values[:, run["triangles"][k]])
    x = np.column_stack([probes["x"], probes["y"]]).astype(float)
    close("probe", x, moving(run["trajectory"]), 1e-14)
    v = np.column_stack([probes["velocity_x"], probes["velocity_y"]]).astype(float)
    close("probe's velocity", v, moving(run["velocities"]), 1e-14)

    # The line is 1 cm longer than the block is high.
    ways = table(folder / "sections.csv")["way"].astype(float)
    assert len(ways) == 21 * states or len(ways) == 20 * states, len(ways)


def draw(grid, picture):
    """Draws a state, coloured by stress; it must have colours."""
    plotter = pyvista.Plotter(off_screen=True, window_size=(1200, 500))
    plotter.add_mesh(grid, scalars="von Mises stress", preference="cell", show_edges=True, nan_color="lightgrey")
    plotter.view_xy()
    plotter.camera.zoom(2.2)
    plotter.screenshot(picture)
    image = pyvista.read(picture).active_scalars
    colours = len(np.unique(np.asarray(image)[:, :3], axis=0))
    assert colours > 50, f"the picture has {colours} colours"
    print(f"{picture}: {colours} colours")


def run_recipes(folder):
    """Runs the Python of docs/results.md in the folder of the run."""
    page = Path(__file__).resolve().parents[2] / "docs/results.md"
    recipes = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(recipes) == 2, len(recipes)
    os.chdir(folder)
    for recipe in recipes:
        exec(compile(recipe, str(page), "exec"), {})


worst_of = {}


def main():
    folder, export, picture = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    mesh = json.loads((folder / "mesh.json").read_text())
    run = {
        "rest": np.array(mesh["vertices_rest"]),
        "triangles": np.array(mesh["triangles"]),
        "names": [body["name"] for body in mesh["bodies"]],
        "trajectory": np.load(folder / "trajectory.npy"),
        "velocities": np.load(folder / "velocities.npy"),
        "energies": table(folder / "energies.csv"),
        "forces": table(folder / "forces.csv"),
    }
    states = len(run["trajectory"])
    grid = check_run(folder, run, states)
    check_run(export, run, states)
    check_tables(folder, run)
    draw(grid, picture)
    run_recipes(folder)
    for what, worst in worst_of.items():
        print(f"{what}: {worst:.1e}")
    print(f"{2 * states} files agree")


if __name__ == "__main__":
    main()
