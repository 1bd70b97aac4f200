"""Draws the energy and the height of one bouncing disk under each integrator.

Run the scene `bouncing.json` of docs/integrators.md once for each integrator, into folders of these
names, and `fine` by tr_bdf2 with a tenth of the step; then this script there, with numpy and matplotlib.
"""

import json

import matplotlib
import numpy

matplotlib.use("Agg")
import matplotlib.pyplot as plt

RUNS = {
    "implicit_euler": "#0072b2",
    "bdf2": "#d55e00",
    "trapezoid": "#cc79a7",
    "tr_bdf2": "#009e73",
    "fine": "#999999",
}

figure, [left, right] = plt.subplots(1, 2, figsize=(9.6, 3.4), constrained_layout=True)
for name, color in RUNS.items():
    rows = numpy.genfromtxt(f"{name}/energies.csv", delimiter=",", names=True)
    energy = rows["total"] / rows["total"][0]
    positions = numpy.load(f"{name}/trajectory.npy", mmap_mode="r")
    with open(f"{name}/scene.json") as file:
        scene = json.load(file)
    between = scene["time"]["step"] * scene.get("output", {}).get("every", 1)
    times = between * numpy.arange(len(positions))
    height = positions[:, :, 1].mean(axis=1)
    label = "tr_bdf2, h = 0.001 s" if name == "fine" else name
    style = {"color": color, "label": label, "linewidth": 1.2, "zorder": 1 if name == "fine" else 2}
    left.plot(rows["time"], energy, **style)
    right.plot(times, height, **style)
left.set(xlabel="time (s)", ylabel="total energy, of that at the start", ylim=(0, 1.1))
right.set(xlabel="time (s)", ylabel="height of the centre (m)", ylim=(0, None))
left.legend(frameon=False, fontsize=8)
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("integrators.png", dpi=100)
