// A driver that only answers: what a verb inside a sandbox costs is the verb's own time. Usage: node driver-socket.mjs <path>
import { createServer } from "node:net";

const answered = { said: "pass", envelopes: [{ type: "PASS", seq: 101 }], lacks: [], open: [] };
const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.resume().on("error", () => socket.destroy());
  socket.on("end", () => socket.end(`${JSON.stringify({ answered })}\n`));
});
server.listen(process.argv[2], () => console.log("ready"));
