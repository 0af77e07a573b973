import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostileEntries, HostileEntry } from './hostile-case.ts';

/** Writes a project below a folder. */
export function writeProject(folder: string, entries: HostileEntries): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, entry] of Object.entries(entries)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeEntry(target, entry);
  }
}

function writeEntry(target: string, entry: HostileEntry): void {
  if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(target, entry);
  else if ('link' in entry) symlinkSync(entry.link, target);
  else if ('text' in entry) {
    writeFileSync(target, entry.text);
    chmodSync(target, entry.mode);
  } else if (entry.special === 'folder') mkdirSync(target);
  else execFileSync('mkfifo', [target]);
}
