// The files in which CLIs keep their sessions: one JSON object a line. Lines that are none are passed over, as the first
// one of a file that was cut.
import { parseJson } from "../../core/text/json.ts";

export function* readSessionRecords(file: string): Generator<Readonly<Record<string, unknown>>> {
  for (const line of file.split("\n")) {
    try {
      const read: unknown = parseJson(line);
      if (typeof read === "object" && read !== null) yield read as Record<string, unknown>;
    } catch {
      // Not ours to judge.
    }
  }
}
