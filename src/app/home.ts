// What a person sees who types `pairflow` and nothing else: the repository, what needs them, what is going on.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { InboxItem } from "../core/views/inbox.ts";
import { type ProjectConfig, parseProjectConfig, projectFile } from "./config/project.ts";
import { withConventions } from "./conventions.ts";
import { detectProfile } from "./detect.ts";
import { agentChecks } from "./doctor/agents.ts";
import { askGit } from "./git-questions.ts";
import { type ListedBubble, listBubbles, wholeInbox } from "./listing.ts";
import { type UncommittedPlan, uncommittedPlans } from "./plans/uncommitted.ts";
import { recordWorld } from "./record-world.ts";

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

export async function homeView(repo: string): Promise<HomeView> {
  const world = recordWorld(repo);
  // git is asked everything at once: one answer after the other would be most of what a person waits for.
  const [branch = null, changed, gates, bubbles] = await Promise.all([
    askGit(repo, "symbolic-ref", "--short", "HEAD"),
    changedFiles(repo),
    gatesOf(repo),
    listBubbles(world),
  ]);
  return {
    repo: { name: basename(repo), branch, changed },
    initialised: existsSync(join(repo, ".pairflow")),
    agents: agentsOf(repo),
    gates,
    inbox: await withConventions(repo, await wholeInbox(world, bubbles)),
    bubbles,
    uncommitted_plans: uncommittedPlans(repo),
  };
}

async function changedFiles(repo: string): Promise<number | null> {
  const listed = await askGit(repo, "status", "--porcelain");
  return listed === undefined ? null : listed.split("\n").filter(Boolean).length;
}

/** A configuration that cannot be read is the doctor's business; here it only means that nothing is known. */
function agentsOf(repo: string): HomeView["agents"] {
  const path = join(repo, projectFile);
  try {
    const project = parseProjectConfig(existsSync(path) ? readFileSync(path, "utf8") : "", projectFile);
    return agentChecks(repo, project).map(({ name, status }) => ({
      name: name.replace("agent ", ""),
      ready: status === "ok",
    }));
  } catch {
    return [];
  }
}

/** What the project says about its gates itself; a file that cannot be read says nothing here. */
async function declaredGates(
  read: (path: string) => Promise<string | undefined>,
): Promise<ProjectConfig["gates"]> {
  try {
    return parseProjectConfig((await read(projectFile)) ?? "", projectFile).gates;
  } catch {
    return undefined;
  }
}

async function gatesOf(repo: string): Promise<HomeView["gates"]> {
  const files = await askGit(repo, "ls-tree", "-r", "-z", "--name-only", "HEAD");
  if (files === undefined) return null;
  const read = (path: string) => askGit(repo, "show", `HEAD:${path}`);
  const { presets, gates } = await detectProfile(files.split("\0"), read, await declaredGates(read));
  return { presets, names: gates.map((gate) => gate.name) };
}
