// Which programs a command starts, as far as its words tell.
import { expect, it } from "vitest";
import { listCommandPrograms } from "../../../src/core/gates/programs.ts";

it.each([
  ["npm run test", ["npm"]],
  ["golangci-lint run", ["golangci-lint"]],
  ["cd web && CI=1 pnpm run test | tee out.txt", ["pnpm", "tee"]],
  ["env FOO=1 ruff check .", ["ruff"]],
  ['test -f "a && b" || exit 1', []],
  ["./gradlew test", []],
  ["$RUNNER test; (cd x; make)", []],
  ["if true; then make test; fi", []],
])("%j starts %j", (command, programs) => expect(listCommandPrograms(command)).toEqual(programs));
