// The values of the first screen, `pairflow` without a word: the repository, what needs a person, what is running.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { DetectedGates } from "../../core/gates/detect/proposal.ts";
import type { Gate } from "../../core/model/gate.ts";
import { tryOrLater } from "../../core/model/value/try-or.ts";
import type { InboxItem } from "../../core/views/bubble/inbox.ts";
import { findUsualAgents } from "../agents/choose.ts";
import { checkAgents } from "../agents/startable.ts";
import { detectProfile, detectSetup } from "../config/detect.ts";
import { type ProjectConfig, parseProjectConfig, projectFile } from "../config/project.ts";
import { askChangedFiles, askGit } from "../host/git-questions.ts";
import { listUncommittedPlans, type UncommittedPlan } from "../plans/uncommitted.ts";
import { buildInbox, type ListedBubble, listBubbles } from "../record/listing.ts";
import { createRecordWorld } from "../record/world.ts";
import { addConventionItems } from "../world/conventions.ts";

export interface HomeView {
  readonly repo: { readonly name: string; readonly branch: string | null; readonly changed: number | null };
  readonly initialised: boolean;
  readonly agents: readonly { readonly name: string; readonly ready: boolean }[];
  /** The test commands a new bubble would be offered; null where there is no commit to look at. */
  readonly gates: { readonly presets: readonly string[]; readonly names: readonly string[] } | null;
  readonly inbox: readonly InboxItem[];
  readonly bubbles: readonly ListedBubble[];
  /** Plans that nobody has committed to yet. */
  readonly uncommitted_plans: readonly UncommittedPlan[];
}

export async function buildHomeView(repo: string): Promise<HomeView> {
  const world = createRecordWorld(repo);
  // git is asked everything at once: one answer after the other would be most of what a person waits for.
  const [branch = null, changed, gates, bubbles] = await Promise.all([
    askGit(repo, "symbolic-ref", "--short", "HEAD"),
    countChanged(repo),
    buildGates(repo),
    listBubbles(world),
  ]);
  return {
    repo: { name: basename(repo), branch, changed },
    // Commands that only look leave notes in that folder, so its being there says nothing.
    initialised: [projectFile, join(".pairflow", "bubbles")].some((path) => existsSync(join(repo, path))),
    agents: listAgents(repo),
    gates,
    inbox: await addConventionItems(repo, await buildInbox(world, bubbles)),
    bubbles,
    uncommitted_plans: listUncommittedPlans(repo),
  };
}

async function countChanged(repo: string): Promise<number | null> {
  const listed = await askChangedFiles(repo, "--no-renames");
  return listed === undefined ? null : listed.split("\0").filter(Boolean).length;
}

/** A configuration that cannot be read is the doctor's business; here it only means that nothing is known. */
function listAgents(repo: string): HomeView["agents"] {
  const path = join(repo, projectFile);
  try {
    const project = parseProjectConfig(existsSync(path) ? readFileSync(path, "utf8") : "", projectFile);
    const own = checkAgents(repo, project).map(({ name, status }) => ({
      name: name.replace("agent ", ""),
      ready: status === "ok",
    }));
    // Where the project names none, and none of the default ones is here, those count that init and new would take.
    const isNamed = Object.keys(project.agents).length > 0 || project.defaults.agents !== undefined;
    const usual = isNamed || own.some(({ ready }) => ready) ? undefined : findUsualAgents(repo);
    return usual ? [...new Set(Object.values(usual))].map((name) => ({ name, ready: true })) : own;
  } catch {
    return [];
  }
}

/** What the project says about its gates itself; a file that cannot be read says nothing here. */
async function readDeclaredGates(
  read: (path: string) => Promise<string | undefined>,
): Promise<ProjectConfig["gates"]> {
  return tryOrLater(
    async () => parseProjectConfig((await read(projectFile)) ?? "", projectFile).gates,
    undefined,
  );
}

async function buildGates(repo: string): Promise<HomeView["gates"]> {
  const found = await detectGates(repo);
  return found ? { presets: found.presets, names: found.gates.map((gate) => gate.name) } : null;
}

interface ProposedGates {
  readonly gates: readonly Gate[];
  /** The setup command that the same files suggest. */
  readonly setup: string | undefined;
}

/** The gates that the checked-out commit declares or suggests; undefined without a commit. */
export async function proposeGates(repo: string): Promise<ProposedGates | undefined> {
  const [found, files] = [await detectGates(repo), await listCommitted(repo)];
  if (!found || !files) return undefined;
  const proposed = await detectSetup(files, (path) => readCommitted(repo, path));
  return { gates: found.gates, setup: proposed?.command };
}

const listCommitted = async (repo: string): Promise<string[] | undefined> =>
  (await askGit(repo, "ls-tree", "-r", "-z", "--name-only", "HEAD"))?.split("\0");

const readCommitted = (repo: string, path: string) => askGit(repo, "show", `HEAD:${path}`);

async function detectGates(repo: string): Promise<DetectedGates | undefined> {
  const files = await listCommitted(repo);
  if (files === undefined) return undefined;
  const read = (path: string) => readCommitted(repo, path);
  const own = await readDeclaredGates(read);
  const declared = own && { gates: own, from: projectFile };
  return detectProfile(files, read, declared);
}
