// A throw-away repository with bubbles whose records were written by the referee itself, step by step, at times of
// our choosing; and the built command line to look at them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRecordWorld } from "../../src/app/record/world.ts";
import type { RecordWorld } from "../../src/engine/world/world.ts";
import { checkAnswer } from "./json-forms.ts";
import { type PlaySettings, play } from "./play.ts";

const command = resolve(import.meta.dirname, "../../bin/pairflow");
const firstMoment = Date.parse("2026-01-05T09:00:00.000Z");

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Shop = ReturnType<typeof openShop>;

/** A git repository called shop, with a clock that stands still until it is told otherwise. */
export function openShop() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pf-shop-")));
  const repo = join(folder, "shop");
  const shift = join(folder, "clock-shift");
  mkdirSync(repo);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TZ: "UTC",
    LANG: "C.UTF-8",
    PAIRFLOW_CLOCK_SHIFT_FILE: shift,
  };
  const git = (...args: string[]) => spawnSync("git", args, { cwd: repo, env, encoding: "utf8" }).stdout;
  git("init", "-q", "-b", "main");
  let at = firstMoment;
  let ids = 0;
  const world: RecordWorld = {
    ...createRecordWorld(repo),
    clock: { now: () => new Date(at).toISOString(), sleep: async () => {} },
    chance: { id: () => `id${++ids}`, secret: () => "secret", uuid: () => `uuid-${++ids}` },
  };
  const shop = {
    folder,
    repo,
    world,
    env,
    git,
    wait(seconds: number) {
      at += seconds * 1000;
    },
    /** Runs the built command at the shop's time. */
    run(...args: string[]): Ran {
      return shop.runIn(repo, env, ...args);
    },
    runIn(cwd: string, environment: Record<string, string>, ...args: string[]): Ran {
      writeFileSync(shift, String(at - Date.now()));
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
        cwd,
        env: environment,
        encoding: "utf8",
      });
      checkAnswer(args, { code: status, stdout });
      return { code: status, stdout, stderr };
    },
    /** As a terminal shows it: both streams, then the exit code unless it is 0; the folder's name is left out. */
    session(...args: string[]): string {
      return shop.shown(shop.run(...args));
    },
    shown({ code, stdout, stderr }: Ran): string {
      const text = [stdout, stderr, code === 0 ? "" : `[exit ${code}]\n`].join("");
      return `\n${text.replaceAll(folder, "<folder>")}`;
    },
    json(...args: string[]) {
      return JSON.parse(shop.run(...args, "--json").stdout);
    },
    file: (bubble: string, name: string) => join(repo, ".pairflow", "bubbles", bubble, name),
    bubble: (id: string, settings?: string | PlaySettings) => play(shop, id, settings),
    /** Writes these files as a tree of git, on no branch; its id. */
    tree(files: Readonly<Record<string, string>>): string {
      const index = { ...env, GIT_INDEX_FILE: join(folder, "index") };
      const runs = (input: string, ...args: string[]) =>
        spawnSync("git", args, { cwd: repo, env: index, input, encoding: "utf8" }).stdout.trim();
      const rows = Object.entries(files).map(([path, text]) => {
        const id = runs(text, "hash-object", "-w", "--stdin");
        return `100644 ${id}\t${path}\n`;
      });
      runs("", "read-tree", "--empty");
      runs(rows.join(""), "update-index", "--index-info");
      return runs("", "write-tree");
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
  return shop;
}
