// The page begins here: the stream, the keys, and whatever page the path names.
import { render } from "preact";
import { startStream } from "../live/stream.ts";
import { route } from "./route.ts";
import { Shell } from "./shell.tsx";

// Before there is a session nobody tells anything.
if (route.peek().page !== "open") startStream();
const place = document.getElementById("page");
if (place) render(<Shell />, place);
