// SPDX-License-Identifier: MIT
// Files of the last run, in memory.
export const NAMES = ["report.html", "trajectory.csv", "events.csv", "certificate.json", "summary.json", "model.pawl"];

function read(FS, name) {
  try {
    return [[name, FS.readFile(`/out/${name}`)]];
  } catch {
    return []; // there is no such file
  }
}

// By their names: whoever shows the motion keeps them, since the worker may be stopped at any time.
export const readAll = (FS) => Object.fromEntries(NAMES.flatMap((name) => read(FS, name)));
