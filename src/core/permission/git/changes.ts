// Which changes of a repository's git settings a human is asked about, and which are only named. Whatever can name a
// program, redirect a push or hide a file asks; the list of harmless keys is closed, so a new key of git asks too.
import type { GitSettings } from "../../model/record/git-settings.ts";

export interface GitChanges {
  /** Stop the bubble until a human has answered. */
  readonly asks: readonly string[];
  /** Are told and stop nothing: a name, a further remote, a branch's upstream. */
  readonly harmless: readonly string[];
}

const harmless: readonly RegExp[] = [
  /^(?:user|author|committer)\.(?:name|email|signingkey|useconfigonly)$/,
  /^(?:advice|color|column|blame|push|pull|fetch|init|tag|gc|rerere|log|status|stash|rebase|pack|index|feature|format)\./,
  /^commit\.(?:gpgsign|template|verbose|status|cleanup)$/,
  /^branch\.(?:.*\.(?!mergeoptions$)[^.]+|autosetupmerge|autosetuprebase|sort)$/,
  /^merge\.(?:ff|conflictstyle|renames|stat|log|autostash)$/,
  /^maintenance\.(?:auto|strategy)$/,
  /^remote\..*\.(?:fetch|tagopt|prune|prunetags|skipfetchall|skipdefaultupdate)$/,
  /^lfs\.(?:repositoryformatversion|.*\.(?:access|locksverify))$/,
  /^core\.(?:repositoryformatversion|logallrefupdates|quotepath|abbrev|commitgraph|multipackindex|preloadindex|untrackedcache)$/,
  /^extensions\.worktreeconfig$/,
];

/** Where something may be added, but not bent: a further remote is harmless, another address of a known one is not. */
const harmlessWhenNew: readonly RegExp[] = [
  /^remote\..*\.(?:url|pushurl)$/,
  /^submodule\..*\.(?:url|active|branch)$/,
];

/** What is different now, as words that name the file or the key. */
export function compareGitSettings(before: GitSettings, now: GitSettings): GitChanges {
  const settings = listDifferences(before.settings, now.settings).map(({ name, how }) => ({
    text: `${name} ${how}`,
    asks: !isHarmless(name, how),
  }));
  const files = listDifferences(before.files, now.files).map(({ name, how }) => ({
    text: `${name} ${how}`,
    asks: true,
  }));
  const all = [...settings, ...files];
  return {
    asks: all.filter(({ asks }) => asks).map(({ text }) => text),
    harmless: all.filter(({ asks }) => !asks).map(({ text }) => text),
  };
}

type How = "added" | "changed" | "removed";

function isHarmless(name: string, how: How): boolean {
  const key = name.replace(/^clone: /, "");
  return (
    harmless.some((pattern) => pattern.test(key)) ||
    (how === "added" && harmlessWhenNew.some((pattern) => pattern.test(key)))
  );
}

function listDifferences(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): { name: string; how: How }[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before[name], now[name]];
    if (was === is) return [];
    return [{ name, how: was === undefined ? "added" : is === undefined ? "removed" : "changed" }];
  });
}

/** Branches of bubbles move whenever bubbles work; they are nobody's news here. */
const ofBubbles = /^refs\/heads\/bubble\//;

/** Which branches moved, came or went, with both commits. */
export function describeMoves(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  const short = (id: string | undefined) => id?.slice(0, 12) ?? "";
  return listDifferences(before, now)
    .filter(({ name }) => !ofBubbles.test(name))
    .map(({ name, how }) => {
      const branch = name.replace(/^refs\/heads\//, "");
      if (how === "added") return `branch ${branch} was made at ${short(now[name])}`;
      if (how === "removed") return `branch ${branch} was deleted (it was at ${short(before[name])})`;
      return `branch ${branch} moved from ${short(before[name])} to ${short(now[name])}`;
    });
}
