// Where a coverage report may stand, from the folder its gate runs in: where the gate says, where its command says, or
// where the tools put it by themselves.
import type { Gate } from "../../model/gate.ts";

/** Sums before details: a summary is read faster. */
const usual = [
  "coverage.out",
  "cover.out",
  "coverage/coverage-summary.json",
  "coverage/coverage-final.json",
  "coverage/lcov.info",
  "coverage/cobertura-coverage.xml",
  "coverage/coverage.xml",
  "coverage.xml",
  "coverage.json",
  "lcov.info",
  "coverage.lcov",
  "cobertura.xml",
  "target/site/jacoco/jacoco.xml",
  "build/reports/jacoco/test/jacocoTestReport.xml",
  "target/tarpaulin/cobertura.xml",
  "target/llvm-cov.json",
];

const named = /(?:^|\s)-{1,2}(?:coverprofile|output-path)[= ](?:"([^"]+)"|'([^']+)'|(\S+))/g;

/** The files to look at, the likeliest first. */
export function reportPlaces({ report, command }: Pick<Gate, "report" | "command">): string[] {
  if (report !== undefined) return [report];
  const said = [...command.matchAll(named)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
  return [...new Set([...said, ...usual])];
}
