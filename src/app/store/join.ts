// The key of a user, from the file that was handed over to the user's own folder; tried before it is kept.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { listKeyFiles, workerVariable } from "../host/shared/store-choice.ts";
import { makeUserFolder } from "../host/user-folder.ts";
import { readStoreSettings } from "./settings.ts";
import { closeStores, createSharedPorts } from "./shared.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface JoinedStore {
  readonly project: string;
  readonly url: string;
  readonly file: string;
}

export async function joinStore(
  repo: string,
  env: Env,
  seed: string,
  isWorkers: boolean,
): Promise<JoinedStore> {
  const { project, url } = readStoreSettings(repo, env);
  const [file = ""] = listKeyFiles(
    project,
    isWorkers ? { ...env, [workerVariable]: "1" } : { ...env, [workerVariable]: "" },
  );
  const tried = `${file}.tried`;
  makeUserFolder(dirname(file));
  writeFileSync(tried, `${seed}\n`, { mode: 0o600 });
  try {
    await createSharedPorts(repo, { ...env, PAIRFLOW_STORE_CREDENTIALS: tried }, () => {}).open();
    renameSync(tried, file);
  } finally {
    rmSync(tried, { force: true });
    await closeStores();
  }
  return { project, url, file };
}
