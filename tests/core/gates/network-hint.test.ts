// A gate that is red on the base runs once more with the network, unless that takes minutes and nothing speaks for it.
import { expect, it } from "vitest";
import { mayLackNetwork } from "../../../src/core/gates/output/network-hint.ts";

const minutes = 8 * 60_000;

it("a short gate is always tried", () => {
  expect(mayLackNetwork(60_000, "1 failed")).toBe(true);
});

it.each([
  "Error: getaddrinfo EAI_AGAIN registry.example",
  "TypeError: fetch failed",
  "connect ECONNREFUSED 10.0.0.1:5432",
  "go: example.org/m@v1.0.0: module lookup disabled by GOPROXY=off",
  'Get "https://example.org": dial tcp: lookup example.org: no such host',
  "socket.gaierror: [Errno -3] Temporary failure in name resolution",
  "requests.exceptions.ConnectionError: HTTPSConnectionPool",
  "curl: (6) Could not resolve host: example.org",
  "error: failed to download `serde v1.0.0`",
  "java.net.ConnectException: Connection refused",
  "OSError: [Errno 101] Network is unreachable",
  "Could not connect to the daemon: you are offline",
])("a long one is, if it prints %s", (output) => {
  expect(mayLackNetwork(minutes, `✓ 500 passed\n${output}\n`)).toBe(true);
});

it.each([
  "Error: packages/zod/index.js is missing. Run `pnpm build` first.",
  "AssertionError: expected 1 to be 2",
  "error TS2305: Module has no exported member 'parseValidURL'.",
  "--- FAIL: TestIsBlank (0.00s)",
])("a long one that prints %s is not", (output) => {
  expect(mayLackNetwork(minutes, `✓ 500 passed\n${output}\n`)).toBe(false);
});
