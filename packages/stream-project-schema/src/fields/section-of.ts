import type { Field, Section } from './field.ts';

/** The rows of an object's keys; none for anything else. */
export function sectionOf(parent: Field): Section {
  if (parent.type === 'object' || parent.type === 'choice') return parent.fields;
  if (parent.type !== 'union') return {};
  return Object.assign({}, ...parent.options.map(sectionOf)) as Section;
}

/** The keys that an object may have; planned keys are none. For a union: those of the option that has keys. */
export function writableKeys(parent: Field): readonly string[] {
  return Object.entries(sectionOf(parent))
    .filter(([, row]) => row.status !== 'planned')
    .map(([key]) => key);
}
