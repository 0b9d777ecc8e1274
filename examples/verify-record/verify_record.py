#!/usr/bin/env python3
"""Checks a bubble's record without Pairflow, from docs/record.md alone.

usage: verify_record.py <bubble folder or transcript.ndjson> [--git <repository>]

Prints the verdict, the newest good line as `pairflow verify` does, and what is wrong, one fact a line.
Exit code: 0 good, 1 damaged or broken, 2 newer. Python 3.8, standard library only.
"""
import hashlib, json, os, re, subprocess, sys

MAX_LINE = 512 * 1024
TIME = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$", re.A)
TYPES = set("""
    APPROVAL_DECISION APPROVAL_REQUEST BASE_UPDATED BASE_UPDATE_WANTED BUBBLE_CREATED CANCELLED CHILDREN_OPENED CHILD_REPORTED CHILD_STARTED
    COMMITTED CONFIDENCE CONFIGURED CONTEXT_ASSEMBLED CONVERGENCE DELIVERY DONE_PACKAGE DRIVER_CLAIMED EVENT
    FAILED FINISHED GATES_ADOPTED GATES_RESULT GATES_WAIVED HANDOFF HUMAN_QUESTION HUMAN_REPLY JOINED LOCKED
    PAIR_SESSION PASS PAUSED PAUSE_ENDED PLAN_KEPT QUESTION_WITHDRAWN RESUMED RUN_RESULT SCOPE_OVERRIDDEN START_REQUESTED
    STEP_ADVANCED STEP_REDONE TASK TASK_ENDED TASK_STARTED TREE_CHANGED TREE_RESTORED TURN_ENDED TURN_SESSION
    TURN_SPAWNED TURN_STARTED TURN_USAGE TURN_WAITING UNLOCKED WARNING WORKFLOW_STARTED WORKSPACE_FAILED
    WORKSPACE_READY
""".split())


def sha(data):
    return hashlib.sha256(data).hexdigest()


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def read_line(data):
    """('line', fields) · ('newer', reason, fields or None) · ('foreign', reason) · ('part',) for bytes without newline."""
    if len(data) > MAX_LINE:
        return ("part",)
    try:
        line = json.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return ("part",)
    version = line.get("v") if isinstance(line, dict) else None
    later = isinstance(version, (int, float)) and not isinstance(version, bool) and version > 1
    batch = line.get("batch") if isinstance(line, dict) else None
    chained = (
        isinstance(batch, dict) and is_int(line.get("seq")) and line["seq"] >= 1
        and isinstance(line.get("prev"), str) and isinstance(line.get("bubble_id"), str)
        and isinstance(batch.get("id"), str) and is_int(batch.get("i")) and batch["i"] >= 0
        and is_int(batch.get("n")) and batch["n"] >= 1
    )
    if later:
        return ("newer", "format version %s" % version, line if chained else None)
    texts = ("id", "ts", "sender", "recipient", "type")
    if version != 1 or isinstance(version, bool) or not chained or not all(isinstance(line.get(t), str) for t in texts):
        return ("foreign", "no line of this log")
    refs, stamp = line.get("refs"), TIME.match(line["ts"])
    if not stamp or not is_int(line.get("round")) or line["round"] < 0 or "payload" not in line:
        return ("foreign", "no line of this log")
    if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
        return ("foreign", "no line of this log")
    if line["type"] not in TYPES:
        return ("newer", "unknown type %s" % json.dumps(line["type"]), line)
    return ("line", line)


def glued(data):
    """A whole first line that stands behind the rest of another writer's."""
    at = data.rfind(b'{"v":')
    while at > 0:
        read = read_line(data[at:])
        if read[0] == "line" or (read[0] == "newer" and read[2]):
            return read[-1], sha(data[at:])
        at = data.rfind(b'{"v":', 0, at)
    return None


class Fold:
    def __init__(self, bubble):
        self.hashes, self.lines, self.starts = [""], [], []  # hash of each message, the lines, first message of each batch
        self.batch, self.above, self.part, self.newer = [], None, None, None
        self.bubble, self.trouble, self.notes, self.number = bubble, None, [], 0

    def damaged(self, reason, number=None, line=None):
        is_next = line is not None and line["batch"]["i"] == 0 and line["seq"] == len(self.hashes)
        if is_next and line["bubble_id"] == self.bubble and self.starts:  # the next line builds on another version of the newest batch: that one is not good either
            del self.hashes[self.starts[-1]:], self.lines[self.starts[-1] - 1:]
        self.trouble = ("damaged", number or self.number, reason)

    def objection(self, line):
        batch, head = line["batch"], len(self.hashes) - 1
        self.bubble = self.bubble or line["bubble_id"]
        if line["bubble_id"] != self.bubble:
            return "is of another bubble"
        if batch["i"] >= batch["n"]:
            return "is part %d of a batch of %d" % (batch["i"] + 1, batch["n"])
        if batch["i"] == 0:
            if line["seq"] > head + 1:
                return "builds on message %d, where %d is the newest" % (line["seq"] - 1, head)
            return None if self.hashes[line["seq"] - 1] == line["prev"] else "builds on another message %d" % (line["seq"] - 1)
        if self.above == "unknown":
            return None
        over, digest = self.above or (None, None)
        fits = over and over["batch"]["id"] == batch["id"] and over["batch"]["i"] + 1 == batch["i"]
        fits = fits and over["batch"]["n"] == batch["n"] and over["seq"] + 1 == line["seq"] and digest == line["prev"]
        return None if fits else "is part %d of %d of a batch, without the parts before it" % (batch["i"] + 1, batch["n"])

    def misplaced(self, data):
        shown = re.match(rb'\{"v":\d+,"seq":(\d+),', data)
        head = len(self.hashes) - 1
        if shown and int(shown.group(1)) > head + 1 and self.above != "unknown":
            if not self.above or self.above[0]["seq"] != int(shown.group(1)) - 1:
                return "builds on message %d, where %d is the newest" % (int(shown.group(1)) - 1, head)
        inner = glued(data)
        if inner:
            return "has the middle of a batch in it" if inner[0]["batch"]["i"] else self.objection(inner[0])
        return None

    def take(self, data):
        self.number += 1
        if self.trouble:
            return
        if data == b"":
            self.batch, self.above = [], None
            return
        read = read_line(data)
        if self.newer:
            return self.settle(read)
        if read[0] == "foreign":
            return self.damaged(read[1])
        if read[0] == "part":
            wrong = None if len(data) > MAX_LINE else self.misplaced(data)
            if wrong:
                return self.damaged(wrong)
            inner = None if len(data) > MAX_LINE else glued(data)
            self.batch, self.above = [], "unknown" if len(data) > MAX_LINE else inner
            self.part = None if inner else self.number
            return self.notes.append((self.number, "not JSON, or too long"))
        line = read[-1]
        if line is None:
            self.trouble = ("newer", self.number, read[1])
            return
        if line["batch"]["i"] == 0:
            self.batch = []
        wrong = self.objection(line)
        if wrong:
            return self.damaged(wrong, line=line if read[0] == "line" else None)
        in_place = line["seq"] == len(self.hashes) + len(self.batch) and line["batch"]["i"] == len(self.batch)
        if read[0] == "newer" and line["seq"] >= len(self.hashes):
            self.newer = (line, sha(data), self.number, read[1])
            return
        self.above = (line, sha(data))
        if not in_place or read[0] == "newer":
            return self.notes.append((self.number, "lost a race for message %d" % line["seq"]))
        self.part = None
        self.batch.append((line, sha(data)))
        if len(self.batch) == line["batch"]["n"]:
            self.starts.append(len(self.hashes))
            for counted, digest in self.batch:
                self.lines.append(counted)
                self.hashes.append(digest)
            self.batch = []

    def settle(self, read):
        line, digest, number, reason = self.newer
        after = read[-1] if read[0] in ("line", "newer") else None
        if after and after["seq"] == line["seq"] + 1 and after["prev"] != digest:
            return self.damaged("cannot be read (%s), and line %d builds on another version of it" % (reason, self.number), number)
        self.trouble = ("newer", number, reason)

    def end(self, tail):
        if self.trouble:
            return
        if self.newer:
            self.trouble = ("newer", self.newer[2], self.newer[3])
        elif tail:
            last = tail.rfind(b"}") + 1
            lost = 0 < last < len(tail) and tail[last:last + 1] != b"{" and read_line(tail[:last])[0] in ("line", "newer")
            wrong = "has lost its newline" if lost else None if len(tail) > MAX_LINE else self.misplaced(tail)
            if wrong:
                self.damaged(wrong, self.number + 1)
            else:
                self.notes.append((self.number + 1, "torn: the line has no end"))
        elif self.part:
            self.damaged("has its newline and cannot be read, and nothing continues behind it", self.part)


def fold_file(path, bubble=None):
    fold = Fold(bubble)
    data = open(path, "rb").read()
    lines = data.split(b"\n")
    for line in lines[:-1]:
        fold.take(line)
    fold.end(lines[-1])
    return fold


def git(repo, *args):
    done = subprocess.run(("git", "-C", repo) + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode().strip() if done.returncode == 0 else None


def beside(fold, folder, repo):
    """What lies beside the log: a cut end, artifacts that are gone or changed, trees that git does not have."""
    wrong, unhashed, head = [], 0, len(fold.hashes) - 1
    for line in fold.lines:
        hashes = line.get("hashes")
        names = [ref for ref in line["refs"] if ref.startswith("artifact://")]
        unhashed += 1 if names and hashes is None else 0
        for ref in names:
            path = os.path.join(folder, "artifacts", ref[len("artifact://"):])
            data = open(path, "rb").read() if os.path.isfile(path) else None
            if data is None:
                wrong.append("message %d names %s, which is not there" % (line["seq"], ref))
            elif hashes and ref in hashes and sha(data) != hashes[ref]:
                wrong.append("message %d names other bytes of %s" % (line["seq"], ref))
        payload = line["payload"] if isinstance(line["payload"], dict) else {}
        if repo and line["type"] in ("HANDOFF", "BASE_UPDATED", "COMMITTED") and payload.get("commit"):
            if git(repo, "rev-parse", "--verify", "-q", payload["commit"] + "^{tree}") != payload.get("tree"):
                wrong.append("message %d names the commit %s, which git does not have with its tree" % (line["seq"], payload["commit"][:12]))
    messages = os.path.join(folder, "artifacts", "messages")
    for name in sorted(os.listdir(messages)) if os.path.isdir(messages) else []:
        start = open(os.path.join(messages, name), "rb").read(600).decode("utf-8", "replace")
        base = re.search(r"\(line \d+, written behind line (\d+)\)\n", start)
        if base and int(base.group(1)) > head and not fold.trouble:
            fold.trouble = ("damaged", None, "it ends at message %d, but %s was written behind message %s" % (head, name, base.group(1)))
    return wrong, unhashed


def main(argv):
    repo = argv[argv.index("--git") + 1] if "--git" in argv else None
    where = argv[0]
    is_folder = os.path.isdir(where)
    name = os.path.basename(os.path.abspath(where)) if is_folder else None
    fold = fold_file(os.path.join(where, "transcript.ndjson") if is_folder else where, name)
    wrong, unhashed = beside(fold, where, repo) if is_folder else ([], 0)
    verdict = fold.trouble[0] if fold.trouble else "broken" if wrong or len(fold.hashes) == 1 else "good"
    print("%s  head %d %s" % (verdict, len(fold.hashes) - 1, fold.hashes[-1]))
    if fold.trouble:
        print("%s%s" % ("line %d " % fold.trouble[1] if fold.trouble[1] else "", fold.trouble[2]))
    print("\n".join(wrong + ["line %d does not count: %s" % note for note in fold.notes]))
    print("%d lines name artifacts without a hash: written before hashes" % unhashed if unhashed else "", end="")
    return {"good": 0, "newer": 2}.get(verdict, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
