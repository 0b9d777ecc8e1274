// The part of a repository's git folder that says what git does there: settings, attributes, excludes, hooks. Values are
// kept as hashes only, since a setting may hold a password.
import * as v from "valibot";

export const GitSettings = v.strictObject({
  /** Settings of the repository's own files, by key: a hash of all values. */
  settings: v.record(v.string(), v.string()),
  /** Files such as `info/exclude` or `hooks/pre-commit`: a hash of what they say. */
  files: v.record(v.string(), v.string()),
});
export type GitSettings = v.InferOutput<typeof GitSettings>;

/** Where a bubble's git settings are kept as they were when it started, or as a human has accepted them. */
export const GitPin = v.strictObject({
  artifact: v.pipe(v.string(), v.maxLength(300)),
  sha256: v.pipe(v.string(), v.maxLength(64)),
});
export type GitPin = v.InferOutput<typeof GitPin>;

/** The settings that an artifact holds, or undefined when it does not hold any. */
export function parseGitSettings(text: string): GitSettings | undefined {
  try {
    const result = v.safeParse(GitSettings, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined; // Not JSON: damaged.
  }
}
