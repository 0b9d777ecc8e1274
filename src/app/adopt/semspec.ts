// `.semspec/`: gates in its settings and its SOPs have the form of this program's own; its checklist becomes gates, and each of its
// standards an SOP. Everything else there belongs to a server that is not part of a repository.
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { listChecks, listStandards, type SemspecStandard } from "../../core/adopt/semspec-files.ts";
import { parseProjectConfig, projectFile } from "../config/project.ts";
import { parseSopText, sopFolder } from "../knowledge/sops.ts";
import { type AdoptStep, findComplaint, findFileText, listEntryNames, mapFile } from "./step.ts";

const config = ".semspec/config.yaml";
const checklist = ".semspec/checklist.json";
const standards = ".semspec/standards.json";
const sops = ".semspec/sources/docs/sops";
const constitutions = [".semspec/constitution.md", ".semspec/sources/docs/constitution.md"];

export function listSemspecSteps(repo: string): AdoptStep[] {
  const known = ["config.yaml", "checklist.json", "standards.json", "sources", "constitution.md"];
  const others = listEntryNames(join(repo, ".semspec")).filter((name) => !known.includes(name));
  return [
    ...mapGates(repo),
    ...mapChecklist(repo),
    ...mapStandards(repo),
    ...listEntryNames(join(repo, sops)).map((name) => mapSop(repo, name)),
    ...constitutions.flatMap((from) => mapConstitution(repo, from)),
    ...others.map(
      (name): AdoptStep => ({
        from: `.semspec/${name}`,
        result: "left",
        why: "there is nothing of this kind here",
      }),
    ),
  ];
}

function mapGates(repo: string): AdoptStep[] {
  const text = findFileText(join(repo, config));
  if (text === undefined) return [];
  const settings = tryParseYaml(text);
  const { gates, ...rest } = settings ?? {};
  const left = Object.keys(rest).map(
    (key): AdoptStep => ({ from: `${config}: ${key}`, result: "left", why: "a setting of the other tool" }),
  );
  if (settings === undefined) return [{ from: config, result: "left", why: "it is no YAML with settings" }];
  return gates === undefined
    ? left
    : [addGates(repo, `${config}: gates`, stringify({ gates }), sameForm), ...left];
}

const sameForm = "presets, overrides and additional gates have the same form";

function mapChecklist(repo: string): AdoptStep[] {
  const text = findFileText(join(repo, checklist));
  if (text === undefined) return [];
  const checks = listChecks(tryParseYaml(text));
  if (!checks) return [{ from: checklist, result: "left", why: "it has no list of checks" }];
  const additional = checks.flatMap(({ gate }) => (gate ? [gate] : []));
  return [
    ...(additional.length > 0 ? [mapChecks(repo, stringify({ gates: { additional } }))] : []),
    ...checks.flatMap(({ name, setup }) => (setup === undefined ? [] : [leaveSetup(name, setup)])),
  ];
}

function mapChecks(repo: string, text: string): AdoptStep {
  const from = `${checklist}: checks`;
  const gates = tryParseYaml(findFileText(join(repo, config)) ?? "")?.gates;
  return gates === undefined
    ? addGates(repo, from, text, "each check is a gate with the same command, trigger, time limit and folder")
    : { from, result: "left", why: `${config} has gates, and they are taken instead` };
}

const leaveSetup = (name: string, setup: string): AdoptStep => ({
  from: `${checklist}: ${name}`,
  result: "left",
  why: "it prepares a checkout and judges nothing: it is a setup, not a gate",
  next: `pairflow bubble create --setup ${JSON.stringify(setup)}`,
});

function mapStandards(repo: string): AdoptStep[] {
  const text = findFileText(join(repo, standards));
  if (text === undefined) return [];
  const found = listStandards(tryParseYaml(text)) ?? [];
  if (found.length === 0) return [{ from: standards, result: "left", why: "it has no standards" }];
  return found.map((one) =>
    mapFile(
      repo,
      `${standards}: ${one.id}`,
      `${sopFolder}${one.id}.md`,
      renderSop(one),
      `an SOP of severity ${one.severity}, told to reviewers`,
    ),
  );
}

const renderSop = ({ title, severity, appliesTo, text }: SemspecStandard): string =>
  `---\n${stringify({ title, severity, ...(appliesTo.length > 0 ? { applies_to: appliesTo } : {}) })}---\n${text}\n`;

/** Gates go behind what the project's file says; one that has gates already keeps its own. */
function addGates(repo: string, from: string, text: string, why: string): AdoptStep {
  const there = findFileText(join(repo, projectFile));
  const complaint = findComplaint(() => parseProjectConfig(text, from));
  if (complaint !== undefined) return { from, result: "left", why: complaint };
  if (there === undefined)
    return { from, result: "mapped", to: projectFile, why, write: { kind: "create", text } };
  if (there.endsWith(text)) return { from, result: "present", to: projectFile, why: "adopted before" };
  if (tryParseYaml(there)?.gates !== undefined)
    return {
      from,
      result: "left",
      to: projectFile,
      why: `${projectFile} has gates of its own; nothing is overwritten`,
    };
  const gap = there.endsWith("\n") ? "\n" : "\n\n";
  return { from, result: "mapped", to: projectFile, why, write: { kind: "append", text: `${gap}${text}` } };
}

function mapSop(repo: string, name: string): AdoptStep {
  const from = `${sops}/${name}`;
  const text = findFileText(join(repo, from)) ?? "";
  const to = `${sopFolder}${name}`;
  if (!name.endsWith(".md")) return { from, result: "left", why: "SOPs are Markdown files" };
  const complaint = findComplaint(() => parseSopText({ file: from, text }));
  if (complaint !== undefined) return { from, result: "left", why: complaint };
  return mapFile(
    repo,
    from,
    to,
    text,
    `an SOP with the same id, source.doc.sops.${name.replace(/\.md$/, "")}`,
  );
}

function mapConstitution(repo: string, from: string): AdoptStep[] {
  const text = findFileText(join(repo, from));
  return text === undefined
    ? []
    : [mapFile(repo, from, ".pairflow/constitution.md", text, "the constitution of the project")];
}

function tryParseYaml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(text);
    if (value === null) return {};
    return typeof value === "object" && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
