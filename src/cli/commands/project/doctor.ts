// pairflow doctor: is everything there, and is nothing left over? Every line that is not well says what to type.
import { examine } from "../../../app/doctor/doctor.ts";
import { findRepo } from "../../../app/host/locate.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { renderFindings } from "../../render/doctor.ts";
import { count } from "../../render/table.ts";
import { screenWidth } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const doctor = verb({
  words: "doctor",
  about: "Check this machine and this repository, and say how to fix what is missing",
  access: "read",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const checks = await examine(findRepo(flags.repo ?? shell.cwd));
    const errors = checks.filter((check) => check.status === "error");
    const text = renderFindings(checks, { colour: shell.colour, width: screenWidth() });
    if (errors.length === 0) return { text, json: { ok: true, checks } };
    const refusal = refuse(
      "doctor.problems",
      `${count(errors.length, "thing")} to fix first`,
      errors.find((error) => error.fix)?.fix,
    );
    if (shell.json)
      return { json: { ok: false, checks, error: { kind: "refusal", ...refusal } }, exitCode: 1 };
    shell.print(text);
    return { refusal };
  },
});
