// Commands that stay and print now and then must not outlive whoever reads them.
export { watchReader } from "../../adapters/process/reader-gone.ts";
