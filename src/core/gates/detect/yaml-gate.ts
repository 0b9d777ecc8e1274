// A gate as people spell it in YAML, in presets and in .pairflow/config.yaml: times with units, one glob or many. From
// here on there is only the one spelling of the model.
import * as v from "valibot";
import { Gate } from "../../model/gate.ts";

const text = v.pipe(v.string(), v.minLength(1));
const { name, command, threshold, report, working_dir, parallel, isolated, install } = Gate.entries;
const { success_pattern, failure_pattern, allow_empty, network, needs } = Gate.entries;
const longestSeconds = 24 * 3600;
const isTime = (seconds: number) => seconds >= 1 && seconds <= longestSeconds;

const Timeout = v.union([
  v.pipe(v.number(), v.check(isTime, "must be a time")),
  v.pipe(
    v.string(),
    v.check((word) => isTime(getSeconds(word)), "must be a time"),
  ),
]);

/** What a gate may say beside its name and command; all of it may be patched by an override. */
const options = {
  threshold,
  timeout: v.optional(Timeout),
  trigger: v.optional(v.union([text, v.pipe(v.array(text), v.minLength(1))])),
  working_dir,
  parallel,
  isolated,
  report,
  install,
  success_pattern,
  failure_pattern,
  allow_empty,
  network,
  needs,
};

export const WrittenGate = v.strictObject({ name, command, required: v.boolean(), ...options });
export type WrittenGate = v.InferOutput<typeof WrittenGate>;

/** A gate of the project's own; it must pass unless the project says otherwise. */
export const AdditionalGate = v.strictObject({
  name,
  command,
  required: v.optional(v.boolean(), true),
  ...options,
});

/** A patch for the gate of a preset that has this name. */
export const Override = v.strictObject({
  name,
  command: v.optional(command),
  required: v.optional(v.boolean()),
  ...options,
});
export type Override = v.InferOutput<typeof Override>;

/** `gates:` of a project's configuration. */
export const DeclaredGates = v.strictObject({
  preset: v.optional(v.union([text, v.pipe(v.array(text), v.minLength(1))])),
  overrides: v.optional(v.array(Override), []),
  additional: v.optional(v.array(AdditionalGate), []),
});
export type DeclaredGates = v.InferOutput<typeof DeclaredGates>;

/** The gate that the words mean. */
export function buildGate({ timeout, trigger, ...written }: WrittenGate): Gate {
  return {
    ...written,
    timeout_seconds: timeout === undefined ? 600 : getSeconds(timeout),
    ...(trigger === undefined ? {} : { trigger: [trigger].flat() }),
  };
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Seconds from 90, "90s", "5m" or "1h"; not a number from anything else. */
function getSeconds(time: string | number): number {
  if (typeof time === "number") return time;
  const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?) ?([smh])$/.exec(time) ?? [];
  return Number(amount) * (units[unit ?? ""] ?? Number.NaN);
}
