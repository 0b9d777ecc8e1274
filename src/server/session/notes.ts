// Notes of a person about a bubble, as a file in the user's own folder: what is not said yet is none of an agent's business.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { computeRepoTag } from "../../app/host/repositories/names.ts";
import { addNote, type NoteChange, noNotes, PageNotes } from "../../core/model/page/notes.ts";
import { check } from "../../core/model/value/validate.ts";
import { tryParseJson } from "../../core/text/json.ts";

export interface Notes {
  read(repo: string, bubble: string): PageNotes;
  change(repo: string, bubble: string, change: NoteChange): PageNotes;
}

export function openNotes(folder: string): Notes {
  const fileOf = (repo: string, bubble: string) => join(folder, computeRepoTag(repo), `${bubble}.json`);
  const read = (repo: string, bubble: string) => readNotes(fileOf(repo, bubble));
  return {
    read,
    change(repo, bubble, change) {
      const notes = addNote(read(repo, bubble), change);
      writeNotes(fileOf(repo, bubble), notes);
      return notes;
    },
  };
}

function readNotes(file: string): PageNotes {
  try {
    const read = check(PageNotes, tryParseJson(readFileSync(file, "utf8")));
    return read.ok ? read.value : noNotes;
  } catch {
    return noNotes;
  }
}

function writeNotes(file: string, notes: PageNotes): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${process.pid}`;
  writeFileSync(made, JSON.stringify(notes), { mode: 0o600 });
  renameSync(made, file);
}
