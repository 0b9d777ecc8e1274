// Which server keeps the records of a repository, from its settings or from the command line.
import { Failure } from "../../ports/failure.ts";
import { parseProjectConfig, projectFile } from "../config/project.ts";
import { checkStoreValue, parseStoreValue, type StoreSettings } from "../config/store.ts";
import { readProjectText, storeVariable } from "../host/shared/store-choice.ts";
import { buildUsageError } from "../host/usage.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `--store` says which server; everything else stays as the project says. */
export function readStoreSettings(root: string, env: Env): StoreSettings {
  const { store } = parseProjectConfig(readProjectText(root), projectFile);
  const told = env[storeVariable];
  if (!told) {
    if (store) return store;
    throw new Failure("store.not-ready", `${projectFile} names no store.`);
  }
  const [problem] = checkStoreValue(told);
  if (problem) throw buildUsageError(problem.code, problem.message, "--store nats://127.0.0.1:4222/shop");
  const { replicas, leaseMs, travel, remote } = store ?? parseStoreValue(told);
  return { ...parseStoreValue(told), replicas, leaseMs, travel, remote };
}
