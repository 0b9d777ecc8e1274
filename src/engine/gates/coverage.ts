// Finding the coverage report that a gate's tool wrote. Only a file that this run wrote counts: an agent may have put
// one there before.
import type { CoverageReading } from "../../core/gates/reports/judgement.ts";
import { reportPlaces } from "../../core/gates/reports/places.ts";
import { readCoverage } from "../../core/gates/reports/read.ts";
import type { Gate } from "../../core/model/gate.ts";
import type { World } from "../world/world.ts";

export interface Reports {
  /** What the reports say, once the gate has run. */
  read(): Promise<CoverageReading>;
}

/** Remembers which reports stand in the tree before the gate runs. */
export async function rememberReports(world: World, root: string, gate: Gate): Promise<Reports> {
  const places = reportPlaces(gate).map((path) =>
    gate.working_dir === undefined ? path : `${gate.working_dir}/${path}`,
  );
  const look = () => Promise.all(places.map((path) => world.scratch.fileIn(root, path)));
  const before = await look();
  return {
    async read() {
      const found = (await look()).map((file, i) => ({
        file,
        path: places[i] ?? "",
        isOld: file?.mark === before[i]?.mark,
      }));
      const fresh = found.filter(({ file, isOld }) => file && !isOld);
      for (const { file } of fresh) {
        const percent = readCoverage(file?.text() ?? "");
        if (percent !== undefined) return { kind: "read", percent };
      }
      const [unreadable] = fresh;
      if (unreadable) return { kind: "unreadable", path: unreadable.path };
      const stale = found.find(({ file }) => file);
      return stale ? { kind: "stale", path: stale.path } : { kind: "none", looked: places };
    },
  };
}
