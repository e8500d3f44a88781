// SPDX-License-Identifier: MIT
// Files of the last run, in memory.
export const NAMES = ["report.html", "trajectory.csv", "events.csv", "certificate.json", "summary.json", "model.pawl"];

// null: there is no such file.
export function read(FS, name) {
  if (!NAMES.includes(name)) return null;
  try {
    return FS.readFile(`/out/${name}`);
  } catch {
    return null;
  }
}
