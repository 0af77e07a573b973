import type { EnumField, Field, FieldStatus, TextField } from '../fields/field.ts';
import type { FieldPath } from '../fields/field-path.ts';
import { sectionOf } from '../fields/section-of.ts';
import type { DocumentForm } from '../rows/document.ts';
import { field } from './field-at.ts';

/** One word that may be written at a place. */
export interface Completion {
  readonly kind: 'key' | 'value';
  /** What to write, without quotes or colon. */
  readonly label: string;
  readonly doc: string;
  /** Of a key: the YAML kind of its value. */
  readonly shape?: 'scalar' | 'list' | 'map';
  /** Of a key: the object needs it. */
  readonly required?: true;
  readonly status?: FieldStatus;
  /** The value that holds when nothing is written. */
  readonly isDefault?: true;
}

/** The place at which something is to be written. */
export interface CompletionPlace {
  /** The object whose keys are wanted, or the key whose value is. */
  readonly path: FieldPath | string;
  readonly form?: DocumentForm;
  /** Keys that the object has already; they are not offered. An object of one key that has it takes no other. */
  readonly present?: readonly string[];
}

/** The keys or values that are allowed at a place, in the order of the reference; none where the format has no such place. */
export function completions({ path, form, present = [] }: CompletionPlace): readonly Completion[] {
  const place = field(path, form);
  return place === undefined ? [] : completionsOf(place, present);
}

function completionsOf(place: Field, present: readonly string[]): readonly Completion[] {
  switch (place.type) {
    case 'object':
      return keysOf(place, present);
    case 'choice':
      return present.length > 0 ? [] : keysOf(place, present);
    case 'enum':
      return wordsOf(place);
    case 'boolean':
      return [true, false].map((value) => ({
        kind: 'value',
        label: String(value),
        doc: place.doc,
        ...(place.default === value ? { isDefault: true } : {}),
      }));
    case 'text':
      return suggestionsOf(place);
    case 'integer':
    case 'number':
      return place.default === undefined
        ? []
        : [{ kind: 'value', label: String(place.default), doc: place.doc, isDefault: true }];
    case 'union':
      return place.options.flatMap((option) => completionsOf(option, present));
    case 'scalar':
    case 'any':
    case 'list':
    case 'map':
      return [];
  }
}

function keysOf(place: Field, present: readonly string[]): readonly Completion[] {
  return Object.entries(sectionOf(place))
    .filter(([key, row]) => row.status !== 'planned' && !present.includes(key))
    .map(([key, row]) => ({
      kind: 'key',
      label: key,
      doc: row.doc,
      shape: shapeOf(row),
      ...(row.required === true ? { required: true } : {}),
      ...(row.status === undefined ? {} : { status: row.status }),
    }));
}

function shapeOf(row: Field): 'scalar' | 'list' | 'map' {
  if (row.type === 'list') return 'list';
  return row.type === 'map' || row.type === 'object' || row.type === 'choice' ? 'map' : 'scalar';
}

function wordsOf(place: EnumField): readonly Completion[] {
  return Object.entries(place.values).map(([label, doc]) => ({
    kind: 'value',
    label,
    doc,
    ...(place.default === label ? { isDefault: true } : {}),
  }));
}

function suggestionsOf(place: TextField): readonly Completion[] {
  return [...(place.default === undefined ? [] : [place.default]), ...(place.suggestions ?? [])].map(
    (label) => ({
      kind: 'value',
      label,
      doc: place.doc,
      ...(place.default === label ? { isDefault: true } : {}),
    }),
  );
}
