#!/usr/bin/env node
// A very small agent, so that the example beside it has something real to run. It does no work: it answers with the
// first line of its prompt, in the form it was given. Lines of JSON go in and out.
//   in    {"prompt": text}   {"reply": text}   {"stop": true}
//   out   {"session": id}   {"doing": text}   {"question": text}   {"used": {"read": n, "written": n}}
//         {"answer": value}   {"stopped": true}   {"error": text}
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const text = { type: "string" };
const { values } = parseArgs({
  options: { session: text, resume: text, schema: text, "read-only": { type: "boolean" } },
});
const folder = join(homedir(), ".echo-json");
const session = values.resume ?? values.session ?? "unnamed";
const file = join(folder, `${session}.json`);

const say = (message) => console.log(JSON.stringify(message));
const earlier = values.resume ? history() : [];
const input = createInterface({ input: process.stdin });
let prompt = "";

say({ session });
input.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.stop) end({ stopped: true });
  else if (message.prompt !== undefined) hear(message.prompt);
  else if (message.reply !== undefined) answer(message.reply);
});

function history() {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  say({ error: `no session ${session}` });
  process.exit(1);
}

function hear(words) {
  prompt = words;
  say({ doing: `reads ${words.length} characters${values["read-only"] ? ", read-only" : ""}` });
  if (words.includes("ask me")) say({ question: "What shall I say?" });
  else if (!words.includes("wait for me")) answer("");
}

function answer(reply) {
  const summary = [...earlier, prompt.split("\n")[0], reply].filter(Boolean).join(" / ");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify([...earlier, prompt.split("\n")[0]]));
  say({ used: { read: prompt.length, written: summary.length } });
  end({ answer: { ...filled(JSON.parse(values.schema ?? "{}")), status: "completed", summary } });
}

/** Every property of the form, without a value. */
function filled({ properties = {} }) {
  const empty = ({ type }) => (type === "array" ? [] : type === "boolean" ? false : null);
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, empty(inner)]));
}

function end(message) {
  say(message);
  input.close();
}
