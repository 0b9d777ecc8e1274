// What a prompt used, from figures that agents spell and count in their own ways. The protocol calls them sums over the
// session; the agents tried so far report the prompt alone, or only its last request. What is not known is left out.
import * as v from "valibot";
import type { Usage } from "../../../core/model/record/usage.ts";

export const ContextWindow = v.looseObject({
  used: v.number(),
  size: v.number(),
  cost: v.nullish(v.looseObject({ amount: v.number(), currency: v.string() })),
});
export type ContextWindow = v.InferOutput<typeof ContextWindow>;

/** What the figures belong to. */
export interface PromptMeasure {
  /** `agentInfo.name` of the agent. */
  readonly agent: string;
  /** Nothing was said in the session before this prompt. */
  readonly isNew: boolean;
  /** It used tools, so its model was asked more than once. */
  readonly usedTools: boolean;
  /** The newest word about the model's context. */
  readonly window: ContextWindow | undefined;
}

/** The answer to a prompt, as far as figures may stand in it. */
export interface ReportedUsage {
  readonly usage?: unknown;
  readonly _meta?: unknown;
}

/** The figures of one prompt, or undefined where nobody knows them. */
export function buildPromptUsage(reported: ReportedUsage, measured: PromptMeasure): Usage | undefined {
  const figures = findFiguresIn(reported, measured);
  if (!figures) return undefined;
  const { window, usedTools } = measured;
  // Several requests together are more than the newest of them, which is what the window holds.
  const isLastOnly = usedTools && window !== undefined && window.used > 0 && figures.input <= window.used;
  return { ...figures, ...buildWindow(measured), ...(isLastOnly ? { at_least: true as const } : {}) };
}

/** Agents whose figures are those of the prompt, in a session that continues too. */
const countsPrompts = /claude-(?:agent|code)-acp|codex-acp|^opencode$|gemini/i;
/** Agents whose cost is that of their process: one attempt. */
const pricesProcess = /claude-(?:agent|code)-acp/i;

function findFiguresIn({ usage, _meta }: ReportedUsage, { agent, isNew }: PromptMeasure): Usage | undefined {
  const figures = readFigures(usage);
  if (figures && (isNew || countsPrompts.test(agent))) return figures;
  // Agents that report here report the prompt.
  return readFigures(v.is(Quota, _meta) ? _meta.quota.token_count : undefined);
}

const Quota = v.looseObject({ quota: v.looseObject({ token_count: v.unknown() }) });
const Figures = v.record(v.string(), v.unknown());

/** Every name that agents use for a figure, without underscores and capitals. */
const names = {
  input: ["inputtokens"],
  output: ["outputtokens"],
  total: ["totaltokens"],
  thought: ["thoughttokens", "reasoningoutputtokens"],
  cacheRead: ["cachedreadtokens", "cachedinputtokens", "cachereadinputtokens"],
  cacheWrite: ["cachedwritetokens", "cachewriteinputtokens", "cachecreationinputtokens"],
} as const;

function readFigures(given: unknown): Usage | undefined {
  if (!v.is(Figures, given)) return undefined;
  const spelled = new Map(
    Object.entries(given).map(([name, value]) => [name.replaceAll("_", "").toLowerCase(), value]),
  );
  const figure = (of: keyof typeof names) =>
    names[of].map((name) => spelled.get(name)).find((value) => typeof value === "number" && value >= 0) as
      | number
      | undefined;
  const [input, output] = [figure("input"), figure("output")];
  // No figure, or none but zeros, says nothing about what was used.
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  return sumSpelledUsage({
    ...{ input, output },
    total: figure("total"),
    thought: figure("thought") ?? 0,
    cacheRead: figure("cacheRead") ?? 0,
    cacheWrite: figure("cacheWrite") ?? 0,
  });
}

interface Spelled {
  readonly input: number;
  readonly output: number;
  readonly total: number | undefined;
  readonly thought: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Some agents count the cache and the thoughts apart, others within: the total tells, if there is one. */
function sumSpelledUsage({ input, output, total, thought, cacheRead, cacheWrite }: Spelled): Usage {
  const cache = cacheRead + cacheWrite;
  const isApart = total !== undefined && input + output + thought + cache <= total;
  return {
    input: isApart ? input + cache : input,
    ...(cacheRead > 0 ? { cached: cacheRead } : {}),
    output: isApart ? output + thought : output,
  };
}

/** How full the model's window is, and the cost where it is all this attempt's. */
function buildWindow({ window, isNew, agent }: PromptMeasure): Partial<Usage> {
  const isOwn = isNew || pricesProcess.test(agent);
  const cost = window?.cost?.currency === "USD" && isOwn ? window.cost.amount : 0;
  return {
    // An agent that does not know the price of its model says zero.
    ...(cost > 0 ? { usd: cost } : {}),
    ...(window && window.size > 0 ? { context: Math.max(0, window.used / window.size) } : {}),
  };
}
