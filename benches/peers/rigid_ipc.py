"""Times ipcsim on seven scenes of the rigid-ipc project against rigid-ipc's own CPU seconds.

usage: python benches/peers/rigid_ipc.py FIXTURES [CALIBRATION_MS]

FIXTURES is a folder with the project's 2D scenes, named as in TIMES below. CALIBRATION_MS is what faer (`Par::Seq`) takes to
factorise the n = 158 two-squares matrix on this machine; rigid-ipc's seconds are from one where that is 77.
Both sides run 1000 steps on one thread; ours at 1e-4 m/s, CPU seconds of the whole program, the best of three.
"""

import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "target" / "release" / "ipcsim"
REFERENCE_CALIBRATION = 77.0
TIMES = {
    "axle": 1.43,
    "newtons-cradle_num_balls_5-num_points_8-cor_1": 0.25,
    "stacking_pyramid-cor_-1": 1.10,
    "filling-box_num_blocks_25": 3.00,
    "cogs_cog-large": 10.3,
    "saw_interlocking-saws_num-teeth_10": 0.88,
    "chain_chain-cross-section": 3.49,
}


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main(fixtures, calibration):
    logarithms = []
    with tempfile.TemporaryDirectory() as folder:
        for name, theirs in TIMES.items():
            scene = Path(folder) / f"{name}.json"
            subprocess.run([PROGRAM, "import", "rigid-ipc", fixtures / f"{name}.json", "-o", scene],
                           check=True, capture_output=True)
            run = [PROGRAM, "run", scene, "--out", Path(folder) / name, "--no-frames", "--threads", "1", "--force"]
            ours = min(cpu_seconds(run) for _ in range(3))
            ratio = theirs * calibration / REFERENCE_CALIBRATION / ours
            logarithms.append(math.log(ratio))
            print(f"{name:48} {theirs:6.2f} s {ours:7.3f} s {ratio:6.1f}x")
    print(f"geometric mean {math.exp(sum(logarithms) / len(logarithms)):.1f}x")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else REFERENCE_CALIBRATION)
