// The gates: a profile nobody confirmed, gates that are red, did not run, were waived or are flaky.

import { checkProfile, listRedGates } from "../../judge/convergence.ts";
import { listRedOnBase } from "../../judge/gate-runs/base.ts";
import { type SentenceRule, sayNames, sayOne } from "../sentence.ts";

const profile: SentenceRule = {
  code: "gates.profile",
  appears: "no human confirmed the test profile, or there is no test command and nobody said why",
  say: (state) => sayOne(checkProfile(state)),
};

const noTests: SentenceRule = {
  code: "gates.no-tests",
  appears: "a human said that the project has no test command",
  say: ({ profile: { not_available: why } }) => sayOne(why ? `no test command: ${why}` : undefined, { why }),
};

const notGreen: SentenceRule = {
  code: "gates.not-green",
  appears: "a required gate has no green result on exactly this tree, and no human waived it",
  say: (state) =>
    sayNames(
      listRedGates(state),
      (names) => `required gates that are not green on exactly this tree: ${names}`,
    ),
};

const waivedAtQuestion: SentenceRule = {
  code: "gates.waived",
  appears: "a human waived gates when asked about them",
  say: ({ waivedGates }) => sayNames(waivedGates, (names) => `waived gates: ${names}`),
};

const waivedByName: SentenceRule = {
  code: "gates.waived-by-name",
  appears:
    "a human waived a gate by its name, with `pairflow bubble waive` or when asked; the reason stands there",
  say: ({ gateWaivers = {} }) =>
    Object.entries(gateWaivers).map(([name, reason]) => ({
      text: `waived: ${name} (${reason})`,
      facts: { name, reason },
    })),
};

const flaky: SentenceRule = {
  code: "gates.flaky",
  appears: "a gate failed on exactly this tree and passed when it was run again",
  say: ({ gates, tree }) => {
    const results = gates?.tree === tree?.id ? (gates?.results ?? []) : [];
    const names = results.flatMap((result) => (result.flaky ? [result.name] : []));
    return sayNames(names, (said) => `flaky: ${said} failed on exactly this tree and passed when run again`);
  },
};

const redBefore: SentenceRule = {
  code: "gates.red-on-base",
  appears: "a gate was not green on the untouched base, before any agent was started",
  say: (state) =>
    sayNames(listRedOnBase(state), (names) => `red before anybody began, on the untouched base: ${names}`),
};

const unconfined: SentenceRule = {
  code: "gates.unconfined",
  appears:
    "a gate ran with the rights of the person: the machine has no sandbox for it, or it was switched off",
  say: ({ gates, tree }) => {
    const results = gates?.tree === tree?.id ? (gates?.results ?? []) : [];
    const names = results.flatMap(({ name, sandbox }) => (sandbox === "none" ? [name] : []));
    return sayNames(names, (said) => `gates ran without a sandbox: ${said}`);
  },
};

const network: SentenceRule = {
  code: "gates.network",
  appears: "a gate may reach the network from its sandbox: its settings or a human said so",
  say: ({ profile: { gates } }) =>
    sayNames(
      gates.flatMap(({ name, network: reach }) => (reach === "on" ? [name] : [])),
      (said) => `gates that may reach the network: ${said}`,
    ),
};

export const gateSentences: readonly SentenceRule[] = [
  profile,
  noTests,
  redBefore,
  notGreen,
  waivedAtQuestion,
  waivedByName,
  flaky,
  unconfined,
  network,
];
