// Hints for those who answer in JSON: every flag that the referee's hints name is a field of some answer.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { flagsAsFields } from "../../src/core/answer/flags.ts";
import { answerSchemas, checkpointSchema } from "../../src/core/answer/schema.ts";

it("says which fields the flags are", () => {
  expect(flagsAsFields("--fixed 'F1:a.ts:3 why'   or   --open F1")).toBe(
    'in your JSON answer: --fixed is prior_findings with the status "fixed"; --open is prior_findings with the status "open"',
  );
  expect(flagsAsFields('pairflow pass --summary "…" --test-plan "…"')).toBe(
    "in your JSON answer: --summary is summary; --test-plan is package.test_plan",
  );
  expect(flagsAsFields("say what must change, with file and line")).toBeUndefined();
});

it("names only fields that an answer has", () => {
  const known = [...Object.values(answerSchemas), checkpointSchema].flatMap(({ properties = {} }) =>
    Object.keys(properties as object),
  );
  const said = (flags: readonly string[]) =>
    flagsAsFields(flags.map((flag) => `--${flag}`).join(" "))?.matchAll(/ is (\w+)/g) ?? [];
  for (const [, field = ""] of said(flagsInHints())) expect([...known, "paper"]).toContain(field);
});

it("knows the flags of the referee's hints to agents", () => {
  const unknown = flagsInHints().filter((flag) => flagsAsFields(`--${flag}`) === undefined);
  expect(unknown).toEqual([]);
});

/** The flags in texts of the rules about reviews, beside those of operators. */
function flagsInHints(): string[] {
  const folder = resolve(import.meta.dirname, "../../src/core/review");
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const flags = texts.flatMap((text) =>
    [...text.matchAll(/["'` ]--([a-z][a-z-]+)/g)].map(([, flag = ""]) => flag),
  );
  return [...new Set(flags)];
}
