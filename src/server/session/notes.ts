// Notes of a person about a bubble, as a file in the user's own folder: what is not said yet is none of an agent's business.
import { join } from "node:path";
import { computeRepoTag } from "../../app/host/repositories/names.ts";
import { readUserJson, writeUserJson } from "../../app/host/user-folder.ts";
import { addNote, type NoteChange, noNotes, PageNotes } from "../../core/model/page/notes.ts";
import { check } from "../../core/model/value/validate.ts";

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
      writeUserJson(fileOf(repo, bubble), notes);
      return notes;
    },
  };
}

function readNotes(file: string): PageNotes {
  const read = check(PageNotes, readUserJson(file));
  return read.ok ? read.value : noNotes;
}
