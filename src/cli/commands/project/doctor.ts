// pairflow doctor: is everything there, and is nothing left over? Every line that is not well says what to type.
import { examine } from "../../../app/doctor/run.ts";
import { findRepo } from "../../../app/host/locate.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { renderDoctorFindings } from "../../render/doctor.ts";
import { formatCount } from "../../render/table.ts";
import { getScreenWidth } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const doctor = defineVerb({
  words: "doctor",
  about: "Check this machine and this repository, and say how to fix what is missing",
  access: "read",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const checks = await examine(findRepo(flags.repo ?? shell.cwd));
    const errors = checks.filter((check) => check.status === "error");
    const text = renderDoctorFindings(checks, { colour: shell.colour, width: getScreenWidth() });
    if (errors.length === 0) return { text, json: { ok: true, checks } };
    const refusal = refuse(
      "doctor.problems",
      `${formatCount(errors.length, "thing")} to fix first`,
      errors.find((error) => error.fix)?.fix,
    );
    return { text, json: { ok: false, checks }, refusal };
  },
});
