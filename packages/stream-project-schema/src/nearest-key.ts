import { type DocumentForm, documents } from './document.ts';
import type { Field, Section } from './field.ts';
import { field } from './field-at.ts';
import type { FieldPath } from './field-path.ts';
import { nearestName } from './nearest-name.ts';
import { removedKeys } from './removed-keys.ts';
import { allFields, type PlacedField } from './visit-fields.ts';

/** What can be said of a key that stands where the format has none of that name. */
export type KeySuggestion =
  /** A key of the same object that is spelt almost so. `hint`: `did you mean "description"?` */
  | { readonly kind: 'spelling'; readonly key: string; readonly hint: string }
  /** The place where the key belongs, as in `models[].advanced.topic`. `hint`: `it belongs in "advanced.topic"` */
  | { readonly kind: 'moved'; readonly to: string; readonly hint: string }
  /** The format has no such key, and `hint` says why not. */
  | { readonly kind: 'removed'; readonly hint: string };

/** Where an unknown key stands: its object's path and its name. */
export interface UnknownKey {
  readonly path: FieldPath;
  readonly key: string;
  readonly form?: DocumentForm;
}

/**
 * The nearest valid key for one that the format does not know at this place, or the place it moved to; undefined when
 * nothing is close. In order: moves that are known, near spellings in the same object, keys of that very name elsewhere.
 */
export function nearestKey({ path, key, form = 'project' }: UnknownKey): KeySuggestion | undefined {
  const place = patternOf(path, form);
  const full = place === '' ? key : `${place}.${key}`;
  const removed = Object.hasOwn(removedKeys, full) ? removedKeys[full] : undefined;
  if (removed !== undefined) return { kind: 'removed', hint: removed };
  if (form === 'fragment' && place === '' && Object.hasOwn(documents.project.fields, key)) {
    return { kind: 'moved', to: key, hint: `"${key}" belongs in stream_project.yml` };
  }
  const moved = rows.find((row) => row.field.movedFrom?.includes(full))?.path;
  if (moved !== undefined) return movedTo(moved, place);
  const parent = field(path, form);
  const spelt = parent === undefined ? undefined : nearestName(key, writableKeys(parent));
  if (spelt !== undefined) return { kind: 'spelling', key: spelt, hint: `did you mean "${spelt}"?` };
  const elsewhere = nearestPlace(key, place);
  return elsewhere === undefined ? undefined : movedTo(elsewhere, place);
}

/** The keys that an object may have; planned keys are none. For a union: those of the option that has keys. */
export function writableKeys(parent: Field): readonly string[] {
  return Object.entries(sectionOf(parent))
    .filter(([, row]) => row.status !== 'planned')
    .map(([key]) => key);
}

/** The rows of an object's keys; none for anything else. */
export function sectionOf(parent: Field): Section {
  if (parent.type === 'object' || parent.type === 'choice') return parent.fields;
  if (parent.type !== 'union') return {};
  return Object.assign({}, ...parent.options.map(sectionOf)) as Section;
}

const rows: readonly PlacedField[] = allFields();

/** `['models', 3, 'sink']` as `models[].sink`, and keys of maps by what they are: `clusters.<cluster>`. */
function patternOf(path: FieldPath, form: DocumentForm): string {
  return path.reduce<string>((text, step, index) => {
    if (typeof step === 'number' || step === '[]') return `${text}[]`;
    const parent = field(path.slice(0, index), form);
    const name = parent?.type === 'map' ? `<${parent.keys}>` : step;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

function movedTo(to: string, place: string): KeySuggestion {
  const near = place !== '' && to.startsWith(`${place}.`) ? to.slice(place.length + 1) : to;
  return { kind: 'moved', to, hint: `it belongs in "${near}"` };
}

/** The row of that name that shares most of the path; below the object before beside it, short before long. */
function nearestPlace(key: string, place: string): string | undefined {
  const places = rows
    .map((row) => row.path)
    .filter((path) => path === key || path.endsWith(`.${key}`))
    .map((path) => ({ path, shared: sharedSteps(path, place), steps: path.split('.').length }))
    .sort((one, other) => other.shared - one.shared || one.steps - other.steps);
  return places[0]?.path;
}

function sharedSteps(path: string, place: string): number {
  const steps = place.split('.');
  const differing = path.split('.').findIndex((step, index) => step !== steps[index]);
  return differing === -1 ? steps.length : differing;
}
