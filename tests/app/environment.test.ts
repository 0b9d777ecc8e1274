// Who gets which variable, and which values must never be written down.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  buildAgentEnv,
  listAgentVariables,
  listSecrets,
  pickAgentVariables,
  pickAllowedEnv,
  pickDriverEnv,
} from "../../src/app/host/environment.ts";
import { checkVariableName } from "../../src/core/redaction/variables.ts";
import { some } from "../core/redaction-samples.ts";

const person = {
  PATH: "/usr/bin",
  HOME: "/home/person",
  LC_ALL: "C.UTF-8",
  ANTHROPIC_API_KEY: `a-${some(20)}`,
  CODEX_API_KEY: `c-${some(20)}`,
  AWS_PROFILE: "work",
  AWS_SECRET_ACCESS_KEY: some(40),
  DEPLOY_TOKEN: `d-${some(20)}`,
  EDITOR: "vi",
  PAIRFLOW_TURN: `fix:t1.1:${some(43)}`,
  PAIRFLOW_TMUX_SOCKET: "private",
  PAIRFLOW_ELSE: "x",
};
const claude = { variables: ["ANTHROPIC_API_KEY", "AWS_*"] };
const codex = { variables: ["CODEX_API_KEY"] };

describe("the allow-list", () => {
  it("is all that gates get: no key, no token", () => {
    expect(pickAllowedEnv(person)).toEqual({
      PATH: "/usr/bin",
      HOME: "/home/person",
      LC_ALL: "C.UTF-8",
      PAIRFLOW_TMUX_SOCKET: "private",
    });
  });

  it("has what packages need to arrive in a closed network, unless a login is in it", () => {
    const closed = {
      SSL_CERT_FILE: "/etc/company.pem",
      https_proxy: "http://proxy:8080",
      GOFLAGS: "-mod=vendor",
      GOPROXY: "https://modules.example,direct",
      PIP_INDEX_URL: "https://packages.example/simple",
    };
    expect(pickAllowedEnv(closed)).toEqual(closed);
    const login = {
      HTTPS_PROXY: `http://ann:${some(12)}@proxy:8080`,
      PIP_INDEX_URL: `https://${some(20)}@packages.example/simple`,
      GOPROXY: `https://modules.example,https://ann:${some(12)}@other.example`,
    };
    expect(pickAllowedEnv(login)).toEqual({});
  });

  it("and an agent's own variables are all that an agent gets", () => {
    const env = buildAgentEnv(person, listAgentVariables(claude, { adapter: "claude" }));
    expect(Object.keys(env).sort()).toEqual(
      "ANTHROPIC_API_KEY AWS_PROFILE AWS_SECRET_ACCESS_KEY HOME LC_ALL PAIRFLOW_TMUX_SOCKET PATH TERM".split(
        " ",
      ),
    );
  });

  it("puts our own command first on an agent's PATH, whatever its settings name", () => {
    const env = buildAgentEnv({ PATH: "/usr/bin" }, ["PATH"]);
    expect(env.PATH?.split(delimiter)).toEqual([expect.stringMatching(/bin$/), "/usr/bin"]);
  });
});

describe("an agent's variables", () => {
  it("are those of its adapter alone: one agent never gets another's key", () => {
    expect(pickAgentVariables(person, codex.variables)).toEqual({ CODEX_API_KEY: person.CODEX_API_KEY });
  });

  it("are also those that its settings name", () => {
    const names = listAgentVariables(codex, { adapter: "codex", variables: ["DEPLOY_TOKEN", "NOT_SET"] });
    expect(pickAgentVariables(person, names)).toEqual({
      CODEX_API_KEY: person.CODEX_API_KEY,
      DEPLOY_TOKEN: person.DEPLOY_TOKEN,
    });
  });

  it("are never ours, nor everything", () => {
    const names = listAgentVariables(codex, {
      adapter: "codex",
      variables: ["PAIRFLOW_TURN", "PAIRFLOW_*", "*", "A=b"],
    });
    expect(names).toEqual(codex.variables);
    expect(pickAgentVariables(person, ["PAIRFLOW_*", "PAIRFLOW_ELSE", "*"])).toEqual({});
  });
});

describe("a name under `variables`", () => {
  it("is the name of a variable, and nothing else", () => {
    expect(["NPM_TOKEN", "_x", "https_proxy"].map(checkVariableName)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(checkVariableName("AWS_*")).toContain("must be the name of a variable");
    expect(checkVariableName("PAIRFLOW_TURN")).toContain("Pairflow's own");
  });

  it("with a value is refused without repeating the value", () => {
    const said = checkVariableName(`NPM_TOKEN=${some(20)}`);
    expect(said).toContain("(NPM_TOKEN)");
    expect(said).not.toContain(some(20));
  });
});

describe("a driver", () => {
  it("has the person's whole environment, without what belongs to one turn or one terminal", () => {
    const env = pickDriverEnv({ ...person, TERM: "vt100", TMUX: "/tmp/x", PWD: "/here", SHLVL: "2" });
    const { PAIRFLOW_TURN: _, ...rest } = person;
    expect(env).toEqual(rest);
  });
});

describe("secrets", () => {
  const secrets = (env: Record<string, string>) => listSecrets(env);

  it("are the values of variables that are called like one", () => {
    const names =
      "OPENAI_API_KEY GITHUB_TOKEN APP_SECRET DB_PASSWORD MYSQL_PASSWD SSH_PASSPHRASE GCP_CREDENTIALS SMTP_PASS NPM_CONFIG__AUTH AZURE_PAT apikey API_KEY_2";
    const env = Object.fromEntries(names.split(" ").map((name, i) => [name, `v${i}-${some(10)}`]));
    expect(secrets(env)).toEqual(Object.values(env));
  });

  it("are not values of other variables", () => {
    expect(
      secrets({ HOME: "/home/person1", KEYBOARD: "pc105-de-1", TOKENIZERS_PARALLELISM: "false1234" }),
    ).toEqual([]);
  });

  it("are not plain words: they would be taken out of every sentence", () => {
    expect(secrets({ DB_PASSWORD: "postgres", API_KEY: "none", APP_SECRET: "development" })).toEqual([]);
    expect(secrets({ DB_PASSWORD: "Postgres", APP_SECRET: "hunter22" })).toEqual(["Postgres", "hunter22"]);
  });

  it("are passwords in addresses, whatever the variable is called", () => {
    expect(
      secrets({ DATABASE_URL: "postgres://app:s3cretpw@db/app", HTTPS_PROXY: "http://proxy:8080" }),
    ).toEqual(["s3cretpw"]);
  });

  it("include the capability of the turn in which we are", () => {
    expect(secrets({ PAIRFLOW_TURN: person.PAIRFLOW_TURN })).toEqual([some(43)]);
  });

  it("are not paths of files that hold them", () => {
    const folder = mkdtempSync(join(tmpdir(), "pf-env-"));
    const file = join(folder, "key-1.json");
    writeFileSync(file, "{}");
    try {
      expect(secrets({ GOOGLE_APPLICATION_CREDENTIALS: file, SSH_KEY: "~/.ssh/id_ed25519" })).toEqual([]);
      expect(secrets({ AWS_SECRET_ACCESS_KEY: `/${some(39)}` })).toEqual([`/${some(39)}`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
