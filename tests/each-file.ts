// Run by Vitest for each test file, also where files share a process.
import { afterAll } from "vitest";
import { closeOpened } from "./helpers/after-file.ts";

afterAll(closeOpened);
