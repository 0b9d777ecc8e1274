// A turn between its line on the record and its process: the driver has claimed the attempt and is about to start it.
import type { Turn } from "../model/state/turn.ts";

/** Nobody can find its process yet, and there will be one. */
export const isBeingStarted = ({ status, pid }: Pick<Turn, "status" | "pid">): boolean =>
  status === "running" && pid === undefined;
