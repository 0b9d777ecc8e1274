// The key of a user, from the file that was handed over to the user's own folder; tried before it is kept. Who joins has also said
// yes to the server that the repository names.
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { nodeClock } from "../../adapters/clock/node.ts";
import { listKeyFiles, workerVariable } from "../host/shared/store-choice.ts";
import { makeUserFolder } from "../host/user-folder.ts";
import { confirmStore } from "./confirm.ts";
import { readStoreSettings } from "./settings.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface JoinedStore {
  readonly project: string;
  readonly url: string;
  /** The file of the key that counts from now on; undefined for a server that asks for none. */
  readonly file?: string;
}

/** `seed`: the key that was handed over; without one the key that is kept already, or none, is tried. */
export async function joinStore(
  repo: string,
  env: Env,
  seed: string | undefined,
  isWorkers: boolean,
): Promise<JoinedStore> {
  const settings = readStoreSettings(repo, env);
  const { project, url } = settings;
  const asked = { ...env, [workerVariable]: isWorkers ? "1" : "" };
  const files = listKeyFiles(project, asked);
  const tried = seed === undefined ? undefined : keepAside(files, seed);
  try {
    const { connectStore } = await import("./nats-store.ts");
    const told = tried === undefined ? {} : { PAIRFLOW_STORE_CREDENTIALS: tried };
    const store = await connectStore(settings, repo, { ...asked, ...told }, () => {});
    await store.close();
    if (tried !== undefined) renameSync(tried, files[0] as string);
  } finally {
    if (tried !== undefined) rmSync(tried, { force: true });
  }
  await confirmStore(repo, env, settings, nodeClock.now());
  const file =
    seed === undefined
      ? (env.PAIRFLOW_STORE_CREDENTIALS ?? settings.credentials ?? files.find((one) => existsSync(one)))
      : files[0];
  return { project, url, ...(file === undefined ? {} : { file }) };
}

/** Beside the place where the key will be, once it was tried. */
function keepAside([file = ""]: readonly string[], seed: string): string {
  makeUserFolder(dirname(file));
  const aside = `${file}.tried`;
  writeFileSync(aside, `${seed}\n`, { mode: 0o600 });
  return aside;
}
