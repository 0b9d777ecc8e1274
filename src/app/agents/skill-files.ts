// The skill files by which an agent's CLI knows Pairflow: the same texts for all, put where each CLI looks for skills in a
// repository. A file that a person has changed is theirs and is left alone.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodeHash } from "../../adapters/clock/node.ts";
import { splitFrontmatter } from "../../core/knowledge/markdown/frontmatter.ts";
import { writeOrFail } from "../config/init.ts";
import { readYaml } from "../files/yaml.ts";
import { isIgnored } from "../host/git-questions.ts";
import { findPackageRoot } from "../host/package-root.ts";

interface Skill {
  readonly program: string;
  readonly file: string;
  /** How a person calls it by name. */
  readonly call: string;
  /** The text it is written from, below agent-files/. */
  readonly source: string;
}

const buildSkill = (program: string, folder: string, sign: string, name: string): Skill => ({
  program,
  file: `${folder}/${name}/SKILL.md`,
  call: `${sign}${name}`,
  source: `${name}/SKILL.md`,
});

/** The first one is about Pairflow itself; the others are commands of the pipeline. */
const skillNames = ["pairflow", "multi-ai", "review-codex", "cancel-loop"];

const places = {
  claude: { program: "Claude Code", folder: ".claude/skills", sign: "/" },
  codex: { program: "Codex", folder: ".agents/skills", sign: "$" },
} as const;

export type SkilledAgent = keyof typeof places;
export const skilledAgents = Object.keys(places) as SkilledAgent[];

/** The files of an agent's CLI. Only Claude Code has the pipeline's commands: Codex is the gate inside it. */
export function listAgentFiles(agent: SkilledAgent): readonly Skill[] {
  const { program, folder, sign } = places[agent];
  const names = agent === "claude" ? skillNames : skillNames.slice(0, 1);
  return names.map((name) => buildSkill(program, folder, sign, name));
}

/** What an agent's CLI would stumble over in a skill that is there; undefined: nothing. */
export function checkSkill(repo: string, { file }: Pick<Skill, "file">): string | undefined {
  const split = splitFrontmatter(readFileSync(join(repo, file), "utf8"));
  if (!split.ok) return `${file}:${split.line}: ${split.message}`;
  const name = file.split("/").at(-2);
  const settings = buildSettings(split.front, file);
  if (typeof settings === "string") return settings;
  if (settings.name !== name) return `${file}: its settings do not say "name: ${name}"`;
  if (typeof settings.description !== "string" || settings.description.trim() === "")
    return `${file}: its settings have no description, by which the CLI knows when to use it`;
  return split.body === "" ? `${file}: it says nothing below its settings` : undefined;
}

function buildSettings(front: string, file: string): Readonly<Record<string, unknown>> | string {
  try {
    const { value } = readYaml(front, file, "skill.syntax");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    return (error as Error).message;
  }
}

export interface AgentFile extends Skill {
  readonly agent: SkilledAgent;
  /** `kept`: a person has changed it, so it stays as it is. */
  readonly fate: "wrote" | "updated" | "same" | "kept";
}

/** Writes the skills of an agent's CLI into the repository, each unless a person has made it their own. */
export function writeAgentFiles(repo: string, agent: SkilledAgent): AgentFile[] {
  return listAgentFiles(agent).map((skill) => ({ agent, ...skill, fate: writeSkill(repo, skill) }));
}

function writeSkill(repo: string, { file, source }: Skill): AgentFile["fate"] {
  const path = join(repo, file);
  const wanted = sealText(readFileSync(join(findPackageRoot(), "agent-files", source), "utf8"));
  return writeOrFail(path, () => {
    const found = existsSync(path) ? toUnixLines(readFileSync(path, "utf8")) : undefined;
    if (found === wanted) return "same";
    if (found !== undefined && !isSealed(found)) return "kept";
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
    return found === undefined ? "wrote" : "updated";
  });
}

/** What a person should know about the files: which to commit, which were left alone, and which git would not take. */
export async function describeInstalledFiles(
  repo: string,
  files: readonly AgentFile[],
): Promise<{ toCommit: string[]; notes: string[] }> {
  const notes: string[] = [];
  const toCommit: string[] = [];
  for (const { agent, file, fate } of files) {
    if (fate === "kept")
      notes.push(
        `${file} was changed by hand and is left alone; for a new one: rm ${file} && pairflow init --agent ${agent}`,
      );
    if (await isIgnored(repo, file)) {
      notes.push(`git ignores ${file}, so worktrees will not have it; see: git check-ignore -v ${file}`);
    } else if (fate === "wrote" || fate === "updated") toCommit.push(file);
  }
  return { toCommit, notes };
}

/** The last line holds a hash of all before it: so a later version knows whether anybody has changed the file. */
const seal =
  /\n<!-- pairflow init wrote this, ([0-9a-f]{16})\. Change it and it is yours: it will be left alone\. -->\n$/;

function sealText(text: string): string {
  const hash = hashText(text);
  return `${text}\n<!-- pairflow init wrote this, ${hash}. Change it and it is yours: it will be left alone. -->\n`;
}

function isSealed(text: string): boolean {
  const found = seal.exec(text);
  return found !== null && hashText(text.slice(0, found.index)) === found[1];
}

const hashText = (text: string): string => nodeHash.sha256(text).slice(0, 16);

/** git may have given the file other line ends; that is no change by a person. */
const toUnixLines = (text: string): string => text.replaceAll("\r\n", "\n");
