"""Numeric factorisation and solve by MKL PARDISO of Newton matrices that ipcsim wrote, then ipcsim's own, in one run.

    pip install pypardiso==0.4.7 scipy numpy
    cargo bench --bench linear -- --write FOLDER
    python3 benches/peers/cholesky_pardiso.py FOLDER
"""

import ctypes
import pathlib
import subprocess
import sys
import time

import numpy
import pypardiso
import scipy.io
import scipy.sparse

POSITIVE_DEFINITE = 2
ANALYSIS, FACTORISATION, SOLVE = 11, 22, 33


def best(samples, call):
    times = []
    for _ in range(samples):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e3)
    return min(times)


def measure(path, threads):
    lower = scipy.sparse.tril(scipy.io.mmread(path)).tocsc()
    # Compressed rows of the upper triangle are compressed columns of the lower one.
    upper = scipy.sparse.csr_matrix((lower.data, lower.indices, lower.indptr), shape=lower.shape)
    upper.sort_indices()
    solver = pypardiso.PyPardisoSolver(mtype=POSITIVE_DEFINITE)
    right = numpy.ones(upper.shape[0])

    def phase(number):
        solver.set_phase(number)
        return solver._call_pardiso(upper, right)

    analysis = best(1, lambda: phase(ANALYSIS))
    samples = max(3, 4_000_000 // upper.shape[0])
    factorisation = best(samples, lambda: phase(FACTORISATION))
    solve = best(samples, lambda: phase(SOLVE))
    x = phase(SOLVE)
    whole = upper + scipy.sparse.triu(upper, 1).T
    residual = abs(whole @ x.ravel() - right).max()
    print(
        f"{upper.shape[0]:8} PARDISO, {threads} threads: analysis {analysis:.1f} ms, factorisation {factorisation:.1f} ms, "
        f"solve {solve:.1f} ms, residual {residual:.1e}",
        flush=True,
    )
    solver.free_memory(everything=True)


def main():
    folder = pathlib.Path(sys.argv[1])
    for threads in (1, 2):
        solver = pypardiso.PyPardisoSolver()
        solver.libmkl.MKL_Set_Num_Threads(ctypes.c_int(threads))
        for n in (158, 224, 500):
            measure(folder / f"two_squares_{n}.mtx", threads)
    subprocess.run(["cargo", "bench", "--bench", "linear"], check=True)


if __name__ == "__main__":
    main()
