// Which server a repository may send its records to. The address stands in a file that everybody commits to: whoever could change it
// unseen would be sent what is written here, and could pass on to the true server what a key of this user signs.
import { createFileTrust } from "../../adapters/trust/file.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { Failure } from "../../ports/failure.ts";
import type { StoreSettings } from "../config/store.ts";
import { storeVariable } from "../host/shared/store-choice.ts";
import { getUserFile, makeUserFolder } from "../host/user-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Throws unless a person of this machine has said yes to exactly this, or has typed the address for this command. */
export async function requireConfirmedStore(repo: string, env: Env, settings: StoreSettings): Promise<void> {
  if (env[storeVariable]) return;
  const store = describeStore(settings);
  if ((await openTrust(repo, env).unconfirmed([store])).length === 0) return;
  throw new Failure(
    "store.unconfirmed",
    `.pairflow/config.yaml sends the records of this repository to a server that nobody has confirmed on this machine: ${store.runs}`,
    {
      hint: "pairflow server join <key>    # without a key if the server has no users, or one was kept here before",
    },
  );
}

/** Who joins has said yes. */
export async function confirmStore(
  repo: string,
  env: Env,
  settings: StoreSettings,
  at: string,
): Promise<void> {
  await openTrust(repo, env).remember([describeStore(settings)], at);
}

const openTrust = (repo: string, env: Env) =>
  createFileTrust(getUserFile("trust", repo, env), repo, makeUserFolder);

/** All of the settings that say where something goes, and who is believed to be there. */
function describeStore({ url, project, credentials, tls, travel, remote }: StoreSettings): TrustedProgram {
  const parts = [
    `${url}/${project}`,
    ...(credentials === undefined ? [] : [`key ${credentials}`]),
    ...Object.entries(tls ?? {}).map(([name, file]) => `tls ${name} ${file}`),
    ...(travel === "remote" ? [`commits by the git remote ${remote}`] : []),
  ];
  return { setting: "store", runs: parts.join(" · ") };
}
