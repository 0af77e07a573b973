import { type Field, isLeaf, type Section } from '../fields/field.ts';
import { type FieldPath, parsePath } from '../fields/field-path.ts';
import { type DocumentForm, documents } from '../rows/document.ts';

const anything: Field = { type: 'any', doc: 'Whatever it says.' };

/**
 * The row of the value at a path (an array of keys and indices, or text as in `models[].sink`); undefined when the format
 * has no such place. An empty path is the document. Within an `any`, every place is an `any`.
 */
export function field(path: FieldPath | string, form: DocumentForm = 'project'): Field | undefined {
  let found: Field | undefined = documents[form];
  for (const step of typeof path === 'string' ? parsePath(path) : path) {
    if (found === undefined) return undefined;
    found = child(found, step);
  }
  return found;
}

/** The row of one key or item of a value; undefined when the format has none. */
export function child(parent: Field, step: string | number): Field | undefined {
  if (isLeaf(parent)) return undefined;
  switch (parent.type) {
    case 'object':
    case 'choice':
      return typeof step === 'string' ? (keyOf(parent.fields, step) ?? openChild(parent)) : undefined;
    case 'map':
      return typeof step === 'string' ? parent.values : undefined;
    case 'list':
      return typeof step === 'number' || step === '[]' ? parent.items : undefined;
    case 'union':
      return firstChild(parent.options, step);
    case 'any':
      return anything;
  }
}

/** The row of a key that the section names; nothing is inherited, so `constructor` is no key. */
function keyOf(section: Section, key: string): Field | undefined {
  return Object.hasOwn(section, key) ? section[key] : undefined;
}

function openChild(parent: { readonly open?: true }): Field | undefined {
  return parent.open === true ? anything : undefined;
}

function firstChild(options: readonly Field[], step: string | number): Field | undefined {
  for (const option of options) {
    const found = child(option, step);
    if (found !== undefined) return found;
  }
  return undefined;
}
