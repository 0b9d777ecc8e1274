// The files in which CLIs keep their sessions: one JSON object a line. Lines that are none are passed over, as the first
// one of a file that was cut.

export function* records<T extends object>(file: string): Generator<T> {
  for (const line of file.split("\n")) {
    try {
      const read: unknown = JSON.parse(line);
      if (typeof read === "object" && read !== null) yield read as T;
    } catch {
      // Not ours to judge.
    }
  }
}
