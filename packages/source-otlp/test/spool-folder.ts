import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { type OpenSpoolOptions, openSpool } from '../src/spool/open-spool.ts';
import type { Spool, SpoolEntry } from '../src/spool/spool.ts';

/** A folder that is gone at the end of the scope: `using folder = spoolFolder()`. */
export interface SpoolFolder extends Disposable {
  readonly path: string;
}

/** Makes one. */
export function spoolFolder(): SpoolFolder {
  const path = mkdtempSync(join(tmpdir(), 'spool-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Opens the spool of a folder, with room for 1 MB unless the options say otherwise, and a manual clock. */
export function open(folder: SpoolFolder, options: Partial<OpenSpoolOptions> = {}): Promise<Spool> {
  return openSpool({ folder: folder.path, maxBytes: 1_000_000, clock: createManualClock(), ...options });
}

/** What a machine would find whose process was killed now. */
export function imageOf(folder: SpoolFolder): SpoolFolder {
  const image = spoolFolder();
  for (const name of [...segmentFiles(folder), 'committed.mark']) {
    try {
      copyFileSync(join(folder.path, name), join(image.path, name));
    } catch (thrown) {
      // removed meanwhile: then the kill was after that
      if (!existsSync(join(folder.path, name))) continue;
      throw thrown;
    }
  }
  return image;
}

/** The files with entries, in order. */
export function segmentFiles(folder: SpoolFolder): readonly string[] {
  return readdirSync(folder.path)
    .filter((name) => name.endsWith('.spool'))
    .sort();
}

/** Bytes of all files of a spool but for copies of damaged parts. */
export function bytesIn(folder: SpoolFolder): number {
  const files = [...segmentFiles(folder), 'committed.mark'].map((name) => join(folder.path, name));
  return files.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Distinguishable bytes of an entry. */
export function entryOf(text: string, size = text.length): Uint8Array {
  const bytes = Buffer.alloc(size, '.');
  bytes.write(text, 'latin1');
  return bytes;
}

/** The text of {@link entryOf}. */
export function textOf({ bytes }: SpoolEntry): string {
  return Buffer.from(bytes).toString('latin1').replace(/\.*$/, '');
}

/** Takes all that there is. */
export async function takeAll(spool: Spool): Promise<readonly SpoolEntry[]> {
  const all: SpoolEntry[] = [];
  for (;;) {
    const entries = await spool.take(100, 1_000_000);
    if (entries.length === 0) return all;
    all.push(...entries);
  }
}
