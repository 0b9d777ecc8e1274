// Properties are tried on the same sample in every run of the tests; the soak has new ones each time, and fast-check prints their seed.
import fc from "fast-check";

if (process.env.PAIRFLOW_SOAK !== "1") fc.configureGlobal({ seed: 1 });
