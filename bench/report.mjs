// What a figure means: its words, unit and limit from limits.json, what it was in the run recorded last, and the page
// that shows the figures of today.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";

const recordFile = join(import.meta.dirname, "last-run.json");
const page = join(import.meta.dirname, "..", "docs", "performance.md");
export const limits = JSON.parse(readFileSync(join(import.meta.dirname, "limits.json"), "utf8"));

/** Others at work make the clock say little: limits on times by the clock are judged on a quiet machine alone. */
export const isQuiet = loadavg()[0] < cpus().length / 2;

export const readRecord = () => JSON.parse(readFileSync(recordFile, "utf8"));

/** Prints the figures of one part beside their limits and the last run; false when one misses its limit. */
export function report(title, figures, recorded = {}) {
  console.log(`\n${title}`);
  const verdicts = figures.map(({ key, value, note = "" }) => {
    if (!limits[key]) throw new Error(`limits.json does not know ${key}`);
    const verdict = judge(limits[key], value);
    const before = recorded[key] === undefined ? "" : `  before: ${inUnit(recorded[key].value, limits[key])}`;
    const limit = limitText(limits[key]);
    const mark = { kept: "✓", missed: "✗", "not judged": "~", none: " " }[verdict];
    const words = [
      `  ${mark} ${plain(limits[key].what)}: ${inUnit(value, limits[key])}`,
      note && `(${note})`,
    ];
    console.log(`${words.filter(Boolean).join(" ")}${limit && `   limit ${limit}`}${before}`);
    return verdict;
  });
  return !verdicts.includes("missed");
}

/** "kept" or "missed"; "not judged" for times by the clock on a busy machine, "none" where there is no limit. */
export function judge({ most, least, quiet = false }, value, quietNow = isQuiet) {
  if (most === undefined && least === undefined) return "none";
  if (quiet && !quietNow) return "not judged";
  const isKept = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY);
  return isKept ? "kept" : "missed";
}

/** Keeps the figures for the next run to be compared with, and writes the page. Times by the clock only of a quiet machine. */
export function record(figures, machine) {
  const known = readRecord();
  const kept = figures.filter(({ key }) => isQuiet || !limits[key].quiet);
  const now = Object.fromEntries(
    kept.map(({ key, value }) => [key, { value: Number(value.toPrecision(4)), machine }]),
  );
  const all = { ...known, ...now };
  const sorted = Object.fromEntries(
    Object.keys(limits).flatMap((key) => (all[key] ? [[key, all[key]]] : [])),
  );
  writeFileSync(recordFile, `${JSON.stringify(sorted, null, 2)}\n`);
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(/<!-- figures -->[\s\S]*<!-- \/figures -->/, () => table(sorted)),
  );
}

/** The table of docs/performance.md. */
export function table(recorded) {
  const machines = [...new Set(Object.values(recorded).map(({ machine }) => machine))];
  const rows = Object.entries(recorded).map(([key, { value, machine }]) => {
    const { what, why = "" } = limits[key];
    const cells = [
      what,
      limitText(limits[key]),
      inUnit(value, limits[key]),
      machines.indexOf(machine) + 1,
      why,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const runs = machines.map((machine, i) => `${i + 1}. ${machine}`);
  const head = "| what | limit | measured | run | why this limit |\n|---|---|---|---|---|";
  return `<!-- figures -->\n\n${[head, ...rows].join("\n")}\n\nRuns:\n\n${runs.join("\n")}\n\n<!-- /figures -->`;
}

function limitText({ most, least, quiet, ...row }) {
  if (most === undefined && least === undefined) return "";
  const text = inUnit(most ?? least, row);
  return `${most === undefined ? `at least ${text}` : text}${quiet ? ", quiet machine" : ""}`;
}

function inUnit(value, { unit }) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString("en", { maximumFractionDigits: digits })} ${unit}`;
}

const plain = (markdown) => markdown.replaceAll("`", "");
