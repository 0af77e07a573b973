// Puts the entries of maps in order, for `in-order.ts`.
import { isUtf8 } from 'node:buffer';
import { Kind, Mode, Wire, wireOf } from '../plan/kinds.ts';
import { lenientText } from '../text/decoders.ts';
import { refuse, size, skip, tagAt } from '../wire/reader.ts';
import { putVarint32 } from '../wire/writer.ts';
import {
  type Copy,
  checkText,
  closeAt,
  openAfter,
  type Places,
  putBytes,
  putContent,
  putTag,
  reserve,
} from './in-order.ts';
import { identityOf, isNewKey, watchKeys } from './key-watch.ts';
import type { Run } from './run.ts';
import { Column } from './tables.ts';

/** Positions of a map entry's key and value; -1 if missing. */
interface Entry {
  readonly key: number;
  readonly keyEnd: number;
  readonly value: Places;
}

/** Copies the entries of a map, each as a key and a value. The last of equal keys wins. */
export function putEntries(copy: Copy, row: number, places: Places, depth: number): void {
  const { run } = copy;
  const { rows } = run;
  const kind = rows[row + Column.kind] as number;
  const sub = rows[row + Column.sub] as number;
  if (kind < Kind.message && !copy.checks && isPlainMap(run, row, places)) {
    putTag(copy, ((rows[row + Column.number] as number) << 3) | Wire.delimited);
    putBytes(copy, places[1] as number, places[places.length - 1] as number);
    return;
  }
  const entries = new Map<string | number, Entry>();
  for (let k = 0; k < places.length; k += 3) {
    run.at = places[k + 1] as number;
    const entry = readEntry(copy, row, places[k + 1] as number, places[k + 2] as number, depth);
    const identity = keyOf(copy, row, entry.key);
    const before = entries.get(identity);
    if (before !== undefined) {
      if (before.value.length > 0) checkContent(copy, kind, sub, before.value, depth);
      entries.delete(identity); // the last one keeps its own position
    }
    entries.set(identity, entry);
  }
  for (const { key, keyEnd, value } of entries.values()) {
    putTag(copy, ((rows[row + Column.number] as number) << 3) | Wire.delimited);
    const at = openAfter(copy, keyEnd - key + (value.at(-1) ?? 0) - (value[1] ?? 0));
    putKey(copy, row, key, keyEnd);
    if (value.length > 0 || kind >= Kind.message) {
      putTag(copy, 16 + (rows[row + Column.wire] as number));
      putContent(copy, kind, sub, value, depth);
    }
    closeAt(copy, at);
  }
}

/** Whether the entries are adjacent, each with a key and usually a value, and no key is repeated: they can be copied unchanged. */
function isPlainMap(run: Run, row: number, places: Places): boolean {
  const { rows, src } = run;
  const keyTag = rows[row + Column.keyTag] as number;
  const valueTag = 16 + (rows[row + Column.wire] as number);
  const tag = rows[row + Column.tag] as number;
  const tagSize = tag < 128 ? 1 : tag < 16_384 ? 2 : tag >= 0 && tag < 2_097_152 ? 3 : 0;
  const watch = watchKeys(rows[row + Column.keyKind] as number, places[1] as number, tagSize);
  for (let k = 0; k < places.length; k += 3) {
    const from = places[k + 1] as number;
    const stop = places[k + 2] as number;
    if (tagSize === 0 || (k > 0 && from - (places[k - 1] as number) !== tagSize)) return false;
    run.at = from;
    size(run, from, stop);
    const keyAt = run.pos;
    if (keyAt === stop || src[keyAt] !== keyTag || !isNewKey(run, watch, keyAt, stop)) return false;
    skip(run, keyTag, keyAt + 1, stop, 0);
    if (run.pos === stop) continue;
    if (src[run.pos] !== valueTag) return false;
    skip(run, valueTag, run.pos + 1, stop, 0);
    if (run.pos !== stop) return false;
  }
  return true;
}

function readEntry(copy: Copy, row: number, from: number, to: number, depth: number): Entry {
  const { run } = copy;
  const { rows } = run;
  const kind = rows[row + Column.kind] as number;
  const keyKind = rows[row + Column.keyKind] as number;
  const valueTag = 16 + (rows[row + Column.wire] as number);
  let key = -1;
  let keyEnd = -1;
  let value: Places = [];
  size(run, from, to);
  for (let at = run.pos; at < to; ) {
    const tag = tagAt(run, at, to);
    const content = run.pos;
    skip(run, tag, content, to, depth);
    at = run.pos;
    if (tag === rows[row + Column.keyTag]) {
      if (key !== -1) checkText(run, keyKind, key);
      key = content;
      keyEnd = at;
    } else if (tag === valueTag) {
      if (value.length > 0 && kind < Kind.message) checkText(run, kind, value[1] as number);
      if (kind < Kind.message) value = [];
      value.push(Mode.one, content, at);
    }
  }
  if (run.pos !== to) refuse(run, 'map entry past its end');
  return { key, keyEnd, value };
}

function checkContent(copy: Copy, kind: number, sub: number, places: Places, depth: number): void {
  const { q, checks } = copy;
  copy.checks = true;
  putContent(copy, kind, sub, places, depth);
  copy.q = q;
  copy.checks = checks;
}

/** An identity that only equal keys share. */
function keyOf({ run }: Copy, row: number, key: number): string | number {
  const kind = run.rows[row + Column.keyKind] as number;
  const isText = kind === Kind.string || kind === Kind.text;
  if (key === -1) return isText ? '' : 0;
  return isText ? textAt(run, kind, key) : identityOf(run, kind, key);
}

function putKey(copy: Copy, row: number, key: number, keyEnd: number): void {
  const { run } = copy;
  const kind = run.rows[row + Column.keyKind] as number;
  putTag(copy, run.rows[row + Column.keyTag] as number);
  if (key !== -1 && kind !== Kind.text) putBytes(copy, key, keyEnd);
  else {
    const wire = wireOf(kind);
    const zeros = wire === Wire.fixed64 ? 8 : wire === Wire.fixed32 ? 4 : 0;
    const bytes = key === -1 ? Buffer.alloc(zeros) : Buffer.from(textAt(run, kind, key), 'latin1');
    reserve(copy, bytes.length + 8);
    if (zeros === 0) putVarint32(copy, bytes.length);
    copy.out.set(bytes, copy.q);
    copy.q += bytes.length;
  }
}

/** The text whose length is at i, one character per byte. */
function textAt(run: Run, kind: number, i: number): string {
  const n = size(run, i, run.length);
  const bytes = run.src.subarray(run.pos, run.pos + n);
  if (isUtf8(bytes)) return bytes.toString('latin1');
  if (kind === Kind.string) refuse(run, 'invalid UTF-8');
  return Buffer.from(lenientText(bytes)).toString('latin1');
}
