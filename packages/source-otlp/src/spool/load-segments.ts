import { mkdir, open, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ConnectorError } from '@levada/connect-runtime-core';
import { readPart } from './read-file.ts';
import { type FileContent, scanFrames } from './scan-frames.ts';
import {
  checkSegmentHead,
  parseSegmentFileName,
  SEGMENT_HEAD,
  type Segment,
  type SegmentName,
} from './segment.ts';
import type { SpoolRecovery } from './spool.ts';

/** What is read, and with what. */
export interface LoadOptions {
  readonly folder: string;
  /** The mark: entries before this place are committed. */
  readonly committed: number;
  readonly signal: AbortSignal | undefined;
  /** A copy of a damaged part could not be kept. */
  readonly onError: (thrown: unknown) => void;
}

/** The files of a spool as an earlier run left them, in order. */
export interface LoadedSegments {
  readonly segments: readonly Segment[];
  /** The first entry that is not committed, and where in its file it begins. */
  readonly start: { readonly place: number; readonly offset: number };
  /** Place of the next entry to be written. */
  readonly next: number;
  readonly recovery: SpoolRecovery;
}

interface Loaded {
  readonly segment: Segment;
  readonly content: FileContent;
  /** A copy of its last entry. */
  readonly last: Uint8Array | undefined;
}

/**
 * Reads all files; removes those that hold nothing any more. The end of the newest is cut off after the last whole append, and
 * its content forced to the disk: it may be there only for as long as the machine runs.
 */
export async function loadSegments(options: LoadOptions): Promise<LoadedSegments> {
  const { folder, committed, signal } = options;
  const loaded: Loaded[] = [];
  let discarded = 0;
  let lost = 0;
  // From the newest to the oldest: where a file begins is where the one before it ends.
  let following: number | undefined;
  for (const name of await segmentNames(folder)) {
    if (signal?.aborted === true)
      throw new ConnectorError('aborted', `opening spool "${folder}" was cancelled`);
    if (following !== undefined && following <= committed) {
      await unlink(name.path);
      continue;
    }
    const found = await loadSegment(name, following, options);
    discarded += found.discarded;
    lost += found.content.lost;
    if (found.content.sound > 0) loaded.unshift(found);
    // A newest file without entries says nothing: it may be one that was made for entries which then went elsewhere.
    if (loaded.length > 0) following = name.first;
  }
  const start = loaded.find(({ content }) => content.start !== undefined);
  const next = Math.max(committed, loaded.at(-1)?.segment.next ?? 0);
  return {
    segments: loaded.map(({ segment }) => segment),
    start: startOf(start) ?? { place: next, offset: SEGMENT_HEAD },
    next,
    recovery: {
      entries: sum(loaded, 'entries'),
      bytes: sum(loaded, 'bytes'),
      discardedBytes: discarded,
      damagedEntries: lost,
      last: loaded.at(-1)?.last,
    },
  };
}

interface NamedFile extends SegmentName {
  readonly path: string;
}

/** The newest first. */
async function segmentNames(folder: string): Promise<readonly NamedFile[]> {
  const names: NamedFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = entry.isFile() ? parseSegmentFileName(entry.name) : undefined;
    if (name !== undefined) names.push({ ...name, path: join(folder, entry.name) });
  }
  return names.sort((a, b) => b.first - a.first);
}

async function loadSegment(
  { first, mark, path }: NamedFile,
  following: number | undefined,
  options: LoadOptions,
): Promise<Loaded & { readonly discarded: number }> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const content = await readPart(file, 0, size);
    checkSegmentHead(content, path);
    const committed = Math.max(0, options.committed - first);
    const whole = following === undefined ? undefined : { count: following - first, end: content.length };
    const found = await scanFrames(content, { mark, committed, whole });
    for (const { from, to } of found.holes) await copy(path, content.subarray(from, to), { from, options });
    const end = found.sound === 0 ? 0 : found.end;
    const cut =
      following === undefined ? content.subarray(Math.max(end, SEGMENT_HEAD)) : content.subarray(0, 0);
    if (cut.length > 0) await copy(path, cut, { from: content.length - cut.length, options });
    if (found.sound === 0) await unlink(path);
    else if (following === undefined) {
      await file.truncate(end);
      await file.datasync();
    }
    const left = following === undefined ? end : content.length;
    const segment = {
      first,
      mark,
      path,
      size: left,
      end: found.end,
      next: first + found.next,
      holes: found.holes,
    };
    const last = found.last && Buffer.from(content.subarray(found.last.from, found.last.to));
    return { segment, content: found, last, discarded: cut.length };
  } finally {
    await file.close();
  }
}

async function copy(
  path: string,
  bytes: Uint8Array,
  { from, options }: { readonly from: number; readonly options: LoadOptions },
): Promise<void> {
  try {
    await keepCopy(options.folder, { file: basename(path), offset: from, bytes });
  } catch (thrown) {
    // the copy is for people alone; a full disk must not keep the entries back
    options.onError(thrown);
  }
}

function startOf(
  loaded: Loaded | undefined,
): { readonly place: number; readonly offset: number } | undefined {
  if (loaded?.content.start === undefined) return undefined;
  const { offset, number } = loaded.content.start;
  return { place: loaded.segment.first + number, offset };
}

function sum(loaded: readonly Loaded[], key: 'entries' | 'bytes'): number {
  return loaded.reduce((total, { content }) => total + content[key], 0);
}

/** All copies together take no more bytes, and are no more files. */
const MOST_BYTES = 16_777_216;
const MOST_FILES = 100;

/** Part of a file that is not read as entries. */
interface CutPart {
  /** Name of the file. */
  readonly file: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Keeps a copy of a part that is cut off or damaged in the folder `damaged`, for people to look at; nothing reads it. The oldest
 * copies go for new ones; of a part that is too long, the beginning is kept. The same part is kept once.
 */
async function keepCopy(folder: string, { file, offset, bytes }: CutPart): Promise<void> {
  const copies = join(folder, 'damaged');
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const path = join(copies, `${file}-${offset}`);
  const kept = bytes.subarray(0, MOST_BYTES);
  const others = await copiesIn(copies);
  if (others.some((one) => one.path === path && one.bytes === kept.length)) return;
  let total = kept.length;
  for (const [i, one] of others.entries()) {
    total += one.bytes;
    if (total > MOST_BYTES || i >= MOST_FILES - 1) await unlink(one.path);
  }
  await writeFile(path, kept, { mode: 0o600 });
}

interface Copy {
  readonly path: string;
  readonly bytes: number;
  readonly madeAt: number;
}

/** Newest first. */
async function copiesIn(folder: string): Promise<readonly Copy[]> {
  const found: Copy[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { size, mtimeMs } = await stat(path);
    found.push({ path, bytes: size, madeAt: mtimeMs });
  }
  return found.sort((a, b) => b.madeAt - a.madeAt);
}
