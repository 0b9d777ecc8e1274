// Refusals for those who answer in JSON: every flag that the referee's refusals name is a field of some answer.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { translateFlagsToFields } from "../../../src/core/answer/flags.ts";
import { buildAnswerSchema, buildCheckpointSchema } from "../../../src/core/answer/schema.ts";
import { dialects } from "../../../src/core/model/review/verdict.ts";

it("says a refusal with the fields of the answer, values included", () => {
  expect(translateFlagsToFields("--fixed 'F1:a.ts:3 why'   or   --open F1")).toBe(
    '`prior_findings` with {"id": "F1", "status": "fixed", "reason": "a.ts:3 why"}   or   `prior_findings` with {"id": "F1", "status": "open"}',
  );
  expect(
    translateFlagsToFields(
      'pairflow pass --summary "…" --no-findings --checked "src/cart.ts:41 why it is right now"',
    ),
  ).toBe("answer with `summary` `findings`: [] `checked` (src/cart.ts:41 why it is right now)");
  expect(translateFlagsToFields("nothing was changed: change files, or pass with --no-change 'reason'")).toBe(
    "nothing was changed: change files, or pass with `no_change` (reason)",
  );
  expect(translateFlagsToFields("--no-findings and --finding exclude each other")).toBe(
    "`findings`: [] and `findings` exclude each other",
  );
  expect(translateFlagsToFields("say what must change, with file and line")).toBe(
    "say what must change, with file and line",
  );
});

it("leaves the commands of people alone", () => {
  const command = "pairflow bubble resume --id cart --put-back";
  expect(translateFlagsToFields(command)).toBe(command);
});

it("names only fields that an answer has", () => {
  const known = [
    ...(["score", ...dialects] as const).map(buildAnswerSchema),
    buildCheckpointSchema(),
  ].flatMap(({ properties = {} }) => Object.keys(properties as object));
  const said = [
    ...translateFlagsToFields(
      flagsInHints()
        .map((flag) => `--${flag}`)
        .join(" "),
    ).matchAll(/`(\w+)/g),
  ];
  expect(said.length).toBeGreaterThan(5);
  for (const [, field = ""] of said) expect([...known, "paper"]).toContain(field);
});

it("knows the flags of the referee's refusals to agents", () => {
  expect(flagsInHints().filter((flag) => translateFlagsToFields(`--${flag}`) === `--${flag}`)).toEqual([]);
});

/** The flags in texts of the rules about reviews, beside those of operators. */
function flagsInHints(): string[] {
  const folder = resolve(import.meta.dirname, "../../../src/core/review");
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const flags = texts.flatMap((text) =>
    [...text.matchAll(/["'` ]--([a-z][a-z-]+)/g)].map(([, flag = ""]) => flag),
  );
  return [...new Set(flags)];
}
