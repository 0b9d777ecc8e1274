#!/usr/bin/env node
// An agent of your own: it reads its prompt from standard input, works in the current folder and prints one JSON answer. This one
// knows a single correction; a real one would ask a model. The form of the answer: the schema that {{answer_schema}} names.
import { readFileSync, writeFileSync } from "node:fs";

const prompt = readFileSync(0, "utf8");
const file = "basket.py";
const code = readFileSync(file, "utf8");
if (prompt.length === 0) throw new Error("no prompt was given");
writeFileSync(
  file,
  code
    .replace("basket=[]):", "basket=None):")
    .replace("    basket.append", "    basket = [] if basket is None else basket\n    basket.append"),
);
console.log("Each call without a basket begins an empty one.");
console.log(
  JSON.stringify({
    status: "completed",
    summary: "Each call without a basket begins an empty one",
    questions: [],
    message: null,
    package: {
      what: "add() begins a new basket when none is given",
      why: "All callers shared one list",
      risks: "None known",
      test_plan: "python -m unittest",
      commit_message: "fix(basket): begin a new basket for each call",
    },
    disputes: [],
    no_change: null,
  }),
);
