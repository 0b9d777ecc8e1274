// Gates as they will run: each with its command, whether it must pass, and what confines it.
import { escapeInvisible } from "../../../core/gates/escape-invisible.ts";
import type { Gate } from "../../../core/model/gate.ts";
import type { SandboxState } from "../../../ports/system/sandbox.ts";
import { wrap } from "../../terminal/style.ts";
import { pad } from "../table.ts";

const usualSeconds = 600;

/** Where a gate comes from, if that is not where the others do. */
export type GateOrigins = Readonly<Record<string, string>>;

/** `in a sandbox (bubblewrap), no network`: what is true of every gate of which nothing else is said. */
export const describeConfinement = (sandbox: SandboxState): string =>
  sandbox.kind === "none"
    ? `no sandbox (${sandbox.why}): they run with your rights`
    : `in a sandbox (${sandbox.kind}), no network`;

/** `test   required  npm test (with network)`, one gate below the other; a long command continues below its beginning. */
export function renderGates(gates: readonly Gate[], width: number, origins: GateOrigins = {}): string[] {
  const names = Math.max(0, ...gates.map(({ name }) => name.length));
  return gates.flatMap((gate) => {
    const start = `${pad(gate.name, names)}  ${gate.required ? "required" : "optional"}  `;
    const { name, timeout_seconds: seconds } = gate;
    const marks = [
      ...listGateMarks(gate),
      ...(seconds === usualSeconds ? [] : [`at most ${seconds} s`]),
      ...(origins[name] ? [`by ${origins[name]}`] : []),
    ];
    const behind = marks.length > 0 ? ` (${marks.join(", ")})` : "";
    return wrap(`${start}${escapeInvisible(gate.command)}${behind}`, width, start.length).split("\n");
  });
}

/** What a person should know about a gate before confirming it, beside its command. */
export function listGateMarks({ threshold, isolated, working_dir, network }: Gate): string[] {
  return [
    ...(working_dir === undefined ? [] : [`in ${working_dir}`]),
    ...(threshold === undefined ? [] : [`coverage ≥ ${threshold} %`]),
    ...(isolated ? ["isolated"] : []),
    ...(network === "on" ? ["with network"] : []),
  ];
}
