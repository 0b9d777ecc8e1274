// pairflow workflow redo: a step is taken back, with everything that rests on it, and done again.
import { ensureDriver } from "../../../app/operate/driver.ts";
import { redoStep } from "../../../app/operate/judge-again.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { yesFlag } from "../../operator/trust.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const workflowRedo = defineVerb({
  words: "workflow redo",
  about: "Take back one step of a run and what depends on it, and do it again",
  access: "operator",
  example: 'pairflow workflow redo --id fix-cart --step design --reason "the interface changed"',
  flags: {
    ...operatorFlags,
    ...yesFlag,
    step: {
      kind: "text",
      value: "<name>",
      about: "the step, or the task, that is done again",
      required: true,
    },
    reason: { kind: "text", value: '"<text>"', about: "why, for the agents and the record", required: true },
  },
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const { refusal, envelopes, state } = await redoStep(call, flags.step, flags.reason);
    if (refusal) return { refusal };
    const redone = envelopes.flatMap((line) => (line.type === "STEP_REDONE" ? [line.payload] : []));
    const tasks = redone.flatMap((payload) => payload.tasks);
    const also = tasks.length > 0 ? `, and with it ${tasks.join(", ")}` : "";
    const text = `${call.bubble}: ${flags.step} is done again${also}`;
    const driver = await ensureDriver(call);
    return { text, json: { bubble: call.bubble, step: flags.step, tasks, state: state?.lifecycle, driver } };
  },
});
