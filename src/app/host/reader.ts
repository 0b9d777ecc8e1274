// Commands that stay and print now and then must not outlive their reader.
export { watchReader } from "../../adapters/process/reader-gone.ts";
