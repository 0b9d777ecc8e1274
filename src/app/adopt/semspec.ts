// `.semspec/`: gates in its settings and its SOPs have the form of this program's own; its checklist becomes gates, and each of its
// standards an SOP. Everything else there belongs to a server that is not part of a repository.
import { parse, stringify } from "yaml";
import { listChecks, listStandards, type SemspecStandard } from "../../core/adopt/semspec-files.ts";
import { parseProjectConfig, projectFile } from "../config/project.ts";
import { parseSopText, sopFolder } from "../knowledge/sops.ts";
import { type AdoptFiles, mapFile } from "./files.ts";
import { type AdoptStep, findComplaint } from "./step.ts";

const config = ".semspec/config.yaml";
const checklist = ".semspec/checklist.json";
const standards = ".semspec/standards.json";
const sops = ".semspec/sources/docs/sops";
const constitutions = [".semspec/constitution.md", ".semspec/sources/docs/constitution.md"];

export function listSemspecSteps(files: AdoptFiles): AdoptStep[] {
  const known = ["config.yaml", "checklist.json", "standards.json", "sources", "constitution.md"];
  const others = files.list(".semspec").filter((name) => !known.includes(name));
  return [
    ...mapGates(files),
    ...mapChecklist(files),
    ...mapStandards(files),
    ...files.list(sops).flatMap((name) => mapSop(files, name)),
    ...constitutions.flatMap((from) => mapConstitution(files, from)),
    ...others.map(
      (name): AdoptStep => ({
        from: `.semspec/${name}`,
        result: "left",
        why: "there is nothing of this kind here",
      }),
    ),
  ];
}

function mapGates(files: AdoptFiles): AdoptStep[] {
  const text = files.find(config);
  if (text === undefined) return [];
  const settings = tryParseYaml(text);
  const { gates, ...rest } = settings ?? {};
  const left = Object.keys(rest).map(
    (key): AdoptStep => ({ from: `${config}: ${key}`, result: "left", why: "a setting of the other tool" }),
  );
  if (settings === undefined) return [{ from: config, result: "left", why: "it is no YAML with settings" }];
  return gates === undefined
    ? left
    : [addGates(files, `${config}: gates`, stringify({ gates }), sameForm), ...left];
}

const sameForm = "presets, overrides and additional gates have the same form";

function mapChecklist(files: AdoptFiles): AdoptStep[] {
  const text = files.find(checklist);
  if (text === undefined) return [];
  const checks = listChecks(tryParseYaml(text));
  if (!checks) return [{ from: checklist, result: "left", why: "it has no list of checks" }];
  const additional = checks.flatMap(({ gate }) => (gate ? [gate] : []));
  return [
    ...(additional.length > 0 ? [mapChecks(files, stringify({ gates: { additional } }))] : []),
    ...checks.flatMap(({ name, setup }) => (setup === undefined ? [] : [leaveSetup(name, setup)])),
  ];
}

function mapChecks(files: AdoptFiles, text: string): AdoptStep {
  const from = `${checklist}: checks`;
  const gates = tryParseYaml(files.find(config) ?? "")?.gates;
  return gates === undefined
    ? addGates(
        files,
        from,
        text,
        "each check is a gate with the same command, trigger, time limit and folder",
      )
    : { from, result: "left", why: `${config} has gates, and they are taken instead` };
}

const leaveSetup = (name: string, setup: string): AdoptStep => ({
  from: `${checklist}: ${name}`,
  result: "left",
  why: "it prepares a checkout and judges nothing: it is a setup, not a gate",
  next: `pairflow bubble create --setup ${JSON.stringify(setup)}`,
});

function mapStandards(files: AdoptFiles): AdoptStep[] {
  const text = files.find(standards);
  if (text === undefined) return [];
  const found = listStandards(tryParseYaml(text)) ?? [];
  if (found.length === 0) return [{ from: standards, result: "left", why: "it has no standards" }];
  return found.map((one) =>
    mapFile(
      files,
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
function addGates(files: AdoptFiles, from: string, text: string, why: string): AdoptStep {
  const there = files.find(projectFile);
  const complaint = findComplaint(() => parseProjectConfig(text, from));
  if (complaint !== undefined) return { from, result: "left", why: complaint };
  if (there === undefined) return mapFile(files, from, projectFile, text, why);
  if (there.endsWith(text)) return { from, result: "present", to: projectFile, why: "adopted before" };
  if (tryParseYaml(there)?.gates !== undefined)
    return {
      from,
      result: "left",
      to: projectFile,
      why: `${projectFile} has gates of its own; nothing is overwritten`,
    };
  const behind = `${there.endsWith("\n") ? "\n" : "\n\n"}${text}`;
  const trouble = findComplaint(() => parseProjectConfig(`${there}${behind}`, projectFile));
  if (trouble !== undefined)
    return { from, result: "left", to: projectFile, why: `correct it first: ${trouble}` };
  return { from, result: "mapped", to: projectFile, why, write: { kind: "append", text: behind } };
}

function mapSop(files: AdoptFiles, name: string): AdoptStep[] {
  const from = `${sops}/${name}`;
  if (!name.endsWith(".md")) return [{ from, result: "left", why: "SOPs are Markdown files" }];
  const text = files.find(from);
  if (text === undefined) return [];
  const complaint = findComplaint(() => parseSopText({ file: from, text }));
  if (complaint !== undefined) return [{ from, result: "left", why: complaint }];
  const why = `an SOP with the same id, source.doc.sops.${name.replace(/\.md$/, "")}`;
  return [mapFile(files, from, `${sopFolder}${name}`, text, why)];
}

function mapConstitution(files: AdoptFiles, from: string): AdoptStep[] {
  const text = files.find(from);
  return text === undefined
    ? []
    : [mapFile(files, from, ".pairflow/constitution.md", text, "the constitution of the project")];
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
