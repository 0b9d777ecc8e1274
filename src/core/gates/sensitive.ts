// Changes a reviewer and a human should look at as such: an agent that edits the tests, the gates or the rules can make red
// green without fixing anything. Nothing is forbidden here; it is only said aloud.
import type { ChangedFile } from "../model/record/payloads/parts.ts";
import { compileGlobs } from "../text/glob.ts";
import { sensitivePaths } from "./sensitive-paths.ts";

export type SensitiveKind = keyof typeof sensitivePaths;

export interface SensitiveEdit {
  readonly kind: SensitiveKind;
  readonly path: string;
  readonly status: ChangedFile["status"];
  /** Lines taken away; null where they cannot be counted. */
  readonly removed: number | null;
  /** The old path of a renamed file. */
  readonly from?: string;
}

/** Made on first use: a hundred patterns take longer to compile than a short command runs. */
let matchers: readonly { kind: SensitiveKind; matches: (path: string) => boolean }[] | undefined;

function listKinds() {
  matchers ??= (Object.keys(sensitivePaths) as SensitiveKind[]).map((kind) => ({
    kind,
    matches: compileGlobs(sensitivePaths[kind], { ignoreCase: true }),
  }));
  return matchers;
}

/** The changed files that belong to the tests, the gates, the CI or the project's knowledge, in the order of the change. */
export function findSensitiveEdits(files: readonly ChangedFile[]): SensitiveEdit[] {
  return files.flatMap(({ path, from, status, removed }) => {
    const kind = findKind(path) ?? (from === undefined ? undefined : findKind(from));
    return kind ? [{ kind, path, status, removed, ...(from === undefined ? {} : { from }) }] : [];
  });
}

function findKind(path: string): SensitiveKind | undefined {
  return listKinds().find(({ matches }) => matches(path))?.kind;
}

/** A sentence about one of them: `tests: test/cart.test.ts (modified, −12 lines)`. */
export function describeSensitiveEdit({ kind, path, status, removed, from }: SensitiveEdit): string {
  const moved = from === undefined ? status : `${status} from ${from}`;
  const lost = removed ? `, −${removed} line${removed === 1 ? "" : "s"}` : "";
  return `${kind}: ${path} (${moved}${lost})`;
}
