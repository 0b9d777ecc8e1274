// The test profile before a person: what was found is shown and confirmed, or said by flags.
import { projectFile } from "../../app/config/project.ts";
import { documentGates } from "../../core/document/gates.ts";
import type { Profile } from "../../core/model/gate.ts";
import { askKey } from "../ask.ts";
import { usage } from "../outcome.ts";
import type { Shell } from "../verb.ts";

/** The checks of a document are its tests; choosing the kind confirms them. */
export function documentProfile(document: string, { gates }: Profile): Profile {
  return {
    gates: [...documentGates(document), ...gates],
    source: "the checks of a document",
    confirmed: true,
  };
}

/** Shows what was found and lets a person confirm it; a script says --yes, --test or --no-tests. */
export async function confirmProfile(shell: Shell, profile: Profile, yes: boolean): Promise<Profile> {
  if (profile.confirmed || yes) {
    if (profile.gates.length === 0 && !profile.not_available) throw noProfile();
    return { ...profile, confirmed: true };
  }
  if (profile.gates.length === 0) throw noProfile();
  const list = profile.gates.map((gate) => `${gate.name} "${gate.command}"${marksOf(gate)}`).join(", ");
  const where = profile.source.replace(/^detected \((.*?)\)/, "$1");
  if (!shell.interactive)
    throw usage(
      "create.unconfirmed",
      `gates found (${where}): ${list}; nobody is here to confirm them`,
      'add --yes, or --test <command>, or --no-tests --reason "…"',
    );
  const answer = await askKey(`Gates found (${where}): ${list}      use them? [Y/n] `, ["y", "n"], "y");
  if (answer !== "y")
    throw usage(
      "create.unconfirmed",
      "say which test commands to use",
      'add --test <command>, or --no-tests --reason "…"',
    );
  return { ...profile, confirmed: true };
}

/** What a person should know about a gate before confirming it. */
function marksOf({ required, threshold, isolated }: Profile["gates"][number]): string {
  const marks = [
    ...(required ? [] : ["optional"]),
    ...(threshold === undefined ? [] : [`coverage ≥ ${threshold} %`]),
    ...(isolated ? ["isolated"] : []),
  ];
  return marks.length > 0 ? ` (${marks.join(", ")})` : "";
}

function noProfile() {
  return usage(
    "create.no-tests",
    "no test command was found, and nothing converges without a validated test profile",
    `add --test "<command>", or --no-tests --reason "why there is nothing to run", or commit defaults.commands in ${projectFile}`,
  );
}
