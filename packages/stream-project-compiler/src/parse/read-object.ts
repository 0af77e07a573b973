import {
  type ChoiceField,
  child,
  expectation,
  type Field,
  type KeySuggestion,
  nearestKey,
  type ObjectField,
} from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { quote } from '../diagnostics/quote.ts';
import { checkConstraints, keyPlace, plainObject } from './check-constraints.ts';
import { noteVariables, type Place, pathOf, type ReadContext, reportAt, wordsFor } from './read-context.ts';
import { holdsCredentials } from './secret-in-clear.ts';
import type { EntryNode, ObjectNode } from './typed-node.ts';
import type { YamlEntry, YamlMap, YamlNode } from './yaml-tree.ts';

/** Keys of one object. */
export interface ReadKeys {
  readonly entries: ReadonlyMap<string, EntryNode>;
  /** Keys that unknown ones mean: `spelt` misspelt, `renamed` under a name that the format does not use. */
  readonly spelt: ReadonlySet<string>;
  readonly renamed: ReadonlySet<string>;
  /** Keys that unknown ones mean, or that these belong below: `advanced` for `gateway`. */
  readonly meant: ReadonlySet<string>;
  /** Number of unknown keys. */
  readonly unknown: number;
}

/** Reads an object whose keys the format names. */
export function readObject(context: ReadContext, row: ObjectField, yaml: YamlMap, place: Place): ObjectNode {
  const keys = readKeys(context, row, yaml, place);
  let known = true;
  for (const [key, field] of Object.entries(row.fields)) {
    if (field.required !== true) continue;
    if (keys.entries.get(key)?.node.known !== true) known = false;
    if (!keys.entries.has(key) && !keys.spelt.has(key)) reportMissing(context, key, place);
  }
  for (const constraint of row.constraints ?? []) checkConstraints(context, constraint, keys, place);
  return objectNode(row, yaml, keys, known);
}

/** Reads an object whose one key says what it is. */
export function readChoice(context: ReadContext, row: ChoiceField, yaml: YamlMap, place: Place): ObjectNode {
  const keys = readKeys(context, row, yaml, place);
  const [first, second] = [...keys.entries.values()];
  if (first === undefined && keys.unknown === 0) {
    const message = `${wordsFor(place)} is empty, expected ${expectation(row)}`;
    reportAt(context, 'one-key', { place, span: place.head, message });
  } else if (first !== undefined && second !== undefined) {
    const message = `${wordsFor(place)} has both ${quote(first.key)} and ${quote(second.key)}, expected one of them`;
    reportAt(context, 'one-key', {
      place,
      span: second.keySpan,
      message,
      hint: 'write a separate entry for each',
      related: [{ message: 'the other key', span: first.keySpan }],
    });
  }
  return objectNode(row, yaml, keys, first?.node.known === true && second === undefined);
}

/** Reports that an object lacks a key. */
export function reportMissing(context: ReadContext, key: string, place: Place): void {
  const below: Place = { ...place, parent: place, step: key, object: objectOfKey(place, key) };
  const message = `${wordsFor(place)} is missing the required key ${quote(key)}`;
  reportAt(context, 'missing-key', { place: below, span: place.head, message });
}

/** A section that is missing from the file is about itself. */
function objectOfKey(place: Place, key: string): string {
  return place.parent === undefined ? key : place.object;
}

function readKeys(
  context: ReadContext,
  row: ObjectField | ChoiceField,
  yaml: YamlMap,
  place: Place,
): ReadKeys {
  const entries = new Map<string, EntryNode>();
  const spelt = new Set<string>();
  const renamed = new Set<string>();
  const meantBelow: string[] = [];
  const unindented = unindentedKeys(row, yaml);
  const tooHigh = new Set([...unindented.values()].flat());
  const cut = cutValues(yaml);
  const pieces = new Set(cut.flatMap(({ entry, rest }) => [entry, ...rest]));
  for (const value of cut) {
    const isHidden = isSecret(child(row, value.entry.key));
    reportCut(context, value, { ...place, secret: place.secret || isHidden });
  }
  for (const { entry } of cut) spelt.add(entry.key);
  let unknown = pieces.size;
  for (const entry of yaml.entries) {
    if (pieces.has(entry)) continue;
    const field = child(row, entry.key);
    const keysBelow = unindented.get(entry.key);
    if (keysBelow !== undefined) reportUnindented(context, entry, { keys: keysBelow, place });
    if (tooHigh.has(entry.key) || keysBelow !== undefined) {
      unknown += 1;
      noteVariables(context, entry.value, keyPlace(place, entry));
    } else if (field === undefined) {
      unknown += 1;
      const suggestion = reportUnknown(context, entry, place);
      if (suggestion?.kind === 'spelling') {
        spelt.add(suggestion.key);
        if (isSecret(child(row, suggestion.key))) context.secrets.push(entry.value.span);
      } else if (suggestion?.kind === 'moved') {
        renamed.add(suggestion.to.slice(suggestion.to.lastIndexOf('.') + 1));
        const [first] = suggestion.below?.split('.') ?? [];
        if (first !== undefined) meantBelow.push(first);
      }
    } else if (field.status === 'planned') reportPlanned(context, entry, place);
    else {
      const below = keyPlace(place, entry);
      if (field.status === 'parsed') reportParsed(context, field, below);
      entries.set(entry.key, {
        key: entry.key,
        keySpan: entry.keySpan,
        node: context.read(field, entry.value, below),
      });
    }
  }
  for (const key of unindented.keys()) spelt.add(key);
  const meant = meantBelow.length === 0 ? spelt : new Set([...spelt, ...meantBelow]);
  return { entries, spelt, renamed, meant, unknown };
}

/** A value without quotes whose commas begin new keys. */
function reportCut(context: ReadContext, { entry, span }: CutValue, place: Place): void {
  const below = keyPlace(place, entry);
  const text = context.file.text.slice(span.start, span.end);
  const isHidden = place.secret || holdsCredentials(text);
  if (isHidden) context.secrets.push(span);
  reportAt(context, 'cut-value', {
    place: below,
    span,
    message: `${wordsFor(below)} is split by its commas`,
    ...(isHidden ? {} : { hint: `put it in quotes: "${text}"` }),
  });
}

/** Of several keys whose indentation is wrong, the one that they belong to is reported. */
function reportUnindented(
  context: ReadContext,
  entry: YamlEntry,
  { keys, place }: { readonly keys: readonly string[]; readonly place: Place },
): void {
  const below = keyPlace(place, entry);
  reportAt(context, 'wrong-type', {
    place: below,
    span: entry.keySpan,
    message: `${wordsFor(below)} has no value`,
    hint: `indent ${keys.map(quote).join(', ')} further than ${quote(entry.key)}`,
  });
}

function isSecret(row: Field | undefined): boolean {
  return row?.type === 'text' && row.secret === true;
}

/** Reports a key that the format does not know. Returns the key that was probably meant, if there is one. */
export function reportUnknown(
  context: ReadContext,
  entry: YamlEntry,
  place: Place,
): KeySuggestion | undefined {
  noteVariables(context, entry.value, keyPlace(place, entry));
  if (context.report.isFull()) return undefined;
  const suggestion = nearestKey({ path: pathOf(place), key: entry.key, form: context.form });
  const where = place.parent === undefined ? '' : ` in ${wordsFor(place)}`;
  const message = `unknown key ${quote(entry.key)}${where}`;
  const below = keyPlace(place, entry);
  reportAt(context, 'unknown-key', { place: below, span: entry.keySpan, message, hint: suggestion?.hint });
  return suggestion;
}

function reportPlanned(context: ReadContext, entry: YamlEntry, place: Place): void {
  const below = keyPlace(place, entry);
  noteVariables(context, entry.value, below);
  const message = `${wordsFor(below)} is planned and not supported yet`;
  reportAt(context, 'planned-key', { place: below, span: entry.keySpan, message, hint: 'remove the key' });
}

function reportParsed(context: ReadContext, field: Field, place: Place): void {
  const message = `${wordsFor(place)} has no effect yet`;
  if (field.status === 'parsed') reportAt(context, 'parsed-only', { place, span: place.head, message });
}

function objectNode(
  row: Field,
  yaml: YamlMap,
  { entries, unknown, meant }: ReadKeys,
  known: boolean,
): ObjectNode {
  const kept = [...entries.values()].filter(({ node }) => node.known);
  const facts = unknown > 0 ? { hasUnknownKeys: true as const, misspelt: meant } : {};
  return { kind: 'object', row, span: yaml.span, entries, known, value: plainObject(kept), ...facts };
}

/** A value that commas cut in pieces: `{type: DECIMAL(12, 2)}` has the keys `type` and `2)`. */
interface CutValue {
  readonly span: Span;
  /** The key whose value it is, and those that are the rest of it. */
  readonly entry: YamlEntry;
  readonly rest: readonly YamlEntry[];
}

/** Values of a map on one line that lack their quotes: a parenthesis is opened in one, and closed in a following key. */
function cutValues({ entries }: YamlMap): readonly CutValue[] {
  if (!entries.some(isRest)) return [];
  const found: CutValue[] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at];
    let open = entry === undefined ? 0 : openIn(entry);
    if (entry === undefined || open <= 0) continue;
    const rest: YamlEntry[] = [];
    for (let next = entries[at + 1]; open > 0 && next !== undefined; next = entries[at + 1 + rest.length]) {
      if (!isEmpty(next)) break;
      rest.push(next);
      open += balance(next.key);
    }
    const last = rest.at(-1);
    if (open !== 0 || last === undefined) continue;
    found.push({ entry, rest, span: { start: entry.value.span.start, end: last.keySpan.end } });
    at += rest.length;
  }
  return found;
}

function isRest(entry: YamlEntry): boolean {
  return isEmpty(entry) && /[)>]/.test(entry.key);
}

function isEmpty({ value }: YamlEntry): boolean {
  return value.kind === 'scalar' && value.value === null && value.span.start === value.span.end;
}

function openIn({ value }: YamlEntry): number {
  return value.kind === 'scalar' && value.style === 'plain' && typeof value.value === 'string'
    ? balance(value.value)
    : 0;
}

/** How many parentheses and angle brackets are open at the end. */
function balance(text: string): number {
  return text.replaceAll(/[^(<]/g, '').length - text.replaceAll(/[^)>]/g, '').length;
}

const none: ReadonlyMap<string, readonly string[]> = new Map();

/** More keys are not looked at. */
const MAX_KEYS = 64;

/**
 * For keys without a value, the keys next to them that belong below and are unknown at their own level: `columns` for `not_null`
 * where `- not_null:` and `columns:` have the same indentation.
 */
function unindentedKeys(row: Field, { entries }: YamlMap): ReadonlyMap<string, readonly string[]> {
  if (entries.length > MAX_KEYS || !entries.some(({ value }) => isNothing(value))) return none;
  const found = new Map<string, readonly string[]>();
  for (const { key, value } of entries) {
    const field = isNothing(value) ? child(row, key) : undefined;
    if (field?.type !== 'object' && field?.type !== 'choice') continue;
    const below = entries
      .map((entry) => entry.key)
      .filter((other) => child(row, other) === undefined && child(field, other) !== undefined);
    if (below.length > 0) found.set(key, below);
  }
  return found;
}

function isNothing(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.broken !== true;
}
