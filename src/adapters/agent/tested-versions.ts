// The versions of agents that this version of Pairflow was tried with, oldest first: tests install the first of each, and
// `doctor` names them all.
import versions from "./tried.json" with { type: "json" };

export const tried: Readonly<Record<keyof typeof versions, readonly string[]>> = versions;

/** The versions of one agent, for its probe. */
export function getTriedVersions(name: keyof typeof versions) {
  const [since = ""] = tried[name];
  return { since, tried: tried[name] };
}
