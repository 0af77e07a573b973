import { nearestName } from '@levada/stream-sql';
import type { Field } from '../fields/field.ts';
import type { FieldPath } from '../fields/field-path.ts';
import { writableKeys } from '../fields/section-of.ts';
import { type DocumentForm, documents } from '../rows/document.ts';
import { child } from './field-at.ts';
import { allFields } from './visit-fields.ts';

/** A suggestion for a key that the format does not have at its place. */
export type KeySuggestion =
  /** A key of the same object that is spelt almost so. `hint`: `did you mean "description"?` */
  | { readonly kind: 'spelling'; readonly key: string; readonly hint: string }
  /**
   * The place where the key belongs, as in `models[].advanced.topic`; `below` is that place from the object on, if it is one within
   * it. `hint`: `it belongs in "advanced.topic"`
   */
  | { readonly kind: 'moved'; readonly to: string; readonly below?: string; readonly hint: string }
  /** The format has no such key, and `hint` says why not. */
  | { readonly kind: 'removed'; readonly hint: string };

/** Longer keys are taken apart for no words. */
const MAX_LENGTH = 64;

/** The place of an unknown key: its object's path and its name. */
export interface UnknownKey {
  readonly path: FieldPath;
  readonly key: string;
  readonly form?: DocumentForm;
}

/**
 * The nearest valid key for one that the format does not know at this place, or the place it moved to; undefined when
 * nothing is close. In order: moves that are known, near spellings in the same object, keys of it that share words, keys of that
 * very name elsewhere.
 */
export function nearestKey({ path, key, form = 'project' }: UnknownKey): KeySuggestion | undefined {
  const { pattern: place, row } = placeOf(path, form);
  const full = place === '' ? key : `${place}.${key}`;
  const removed = Object.hasOwn(removedKeys, full) ? removedKeys[full] : undefined;
  if (removed !== undefined) return { kind: 'removed', hint: removed };
  if (form === 'fragment' && place === '' && Object.hasOwn(documents.project.fields, key)) {
    return { kind: 'moved', to: key, hint: `"${key}" belongs in stream_project.yml` };
  }
  const moved = movedKeys.get(full);
  if (moved !== undefined) return movedTo(moved, place);
  const keys = row === undefined ? [] : writableKeys(row);
  const spelt = nearestName(key, keys) ?? keyOfWords(key, keys);
  if (spelt !== undefined) return { kind: 'spelling', key: spelt, hint: `did you mean "${spelt}"?` };
  const elsewhere = nearestPlace(key, place);
  return elsewhere === undefined ? undefined : movedTo(elsewhere, place);
}

/** Where people write a key, to the path where it belongs. */
const movedKeys: ReadonlyMap<string, string> = new Map(
  allFields().flatMap(({ path, field }) => (field.movedFrom ?? []).map((from) => [from, path] as const)),
);

/** Paths of all rows that may be written, by their last key. */
const pathsByKey: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  allFields()
    .filter(({ field }) => field.status !== 'planned')
    .map(({ path }) => path),
  (path) => path.slice(path.lastIndexOf('.') + 1),
);

/** An object, and its path as in `models[].sink`; keys of maps by what they are: `clusters.<cluster>`. */
interface Place {
  readonly pattern: string;
  readonly row: Field | undefined;
}

function placeOf(path: FieldPath, form: DocumentForm): Place {
  let pattern = '';
  let row: Field | undefined = documents[form];
  for (const step of path) {
    const name: string | number = row?.type === 'map' ? `<${row.keys}>` : step;
    if (typeof step === 'number' || step === '[]') pattern += '[]';
    else pattern += pattern === '' ? name : `.${name}`;
    row = row === undefined ? undefined : child(row, step);
  }
  return { pattern, row };
}

function movedTo(to: string, place: string): KeySuggestion {
  if (place === '' || !to.startsWith(`${place}.`))
    return { kind: 'moved', to, hint: `it belongs in "${to}"` };
  const below = to.slice(place.length + 1);
  return { kind: 'moved', to, below, hint: `it belongs in "${below}"` };
}

/** The one key that says the same in fewest words more: `rest_url` for `url`, where there is a `sql_gateway_url` too. */
function keyOfWords(key: string, keys: readonly string[]): string | undefined {
  if (key.length > MAX_LENGTH) return undefined;
  const words = wordsOf(key);
  const [best, next] = keys
    .map((name) => ({ name, words: wordsOf(name) }))
    .filter((one) => [...words].every((word) => one.words.has(word)))
    .sort((one, other) => one.words.size - other.words.size);
  return best?.words.size === next?.words.size ? undefined : best?.name;
}

function wordsOf(key: string): ReadonlySet<string> {
  return new Set(key.toLowerCase().split(/[-_.\s]+/));
}

/** The row of that name that shares most of the path; below the object before beside it, short before long. */
function nearestPlace(key: string, place: string): string | undefined {
  const places = (pathsByKey.get(key) ?? [])
    .map((path) => ({ path, shared: sharedSteps(path, place), steps: path.split('.').length }))
    .sort((one, other) => other.shared - one.shared || one.steps - other.steps);
  return places[0]?.path;
}

function sharedSteps(path: string, place: string): number {
  const steps = place.split('.');
  const differing = path.split('.').findIndex((step, index) => step !== steps[index]);
  return differing === -1 ? steps.length : differing;
}

/** Keys that people write although the format has none such, by path, and why not. */
export const removedKeys: Readonly<Record<string, string>> = {
  'models[].materialized': 'what a model becomes is inferred from its SQL and configuration',
  'models[].advanced.materialized': 'what a model becomes is inferred from its SQL and configuration',
  'models[].columns[].type': 'types of output columns come from the SQL',
  'sources[].type': 'a source is always a topic; the language of its schema is "schema.format"',
  'runtime.platform.bootstrap_servers_internal': 'the platform has one address, "bootstrap_servers"',
  'runtime.vendor.console': 'the project needs no console',
  'tests[].timeout': 'tests have no timeout',
  'tests[].on_failure.actions[].pause_model': 'the actions are "alert" and "dlq"',
  'tests[].on_failure.actions[].block_deploy': 'the actions are "alert" and "dlq"',
  environments: 'values that differ are written as variables',
};
