import { type Field, isLeaf } from '../fields/field.ts';
import { type DocumentForm, documents } from '../rows/document.ts';

/** A row and its place. */
export interface PlacedField {
  /** As `field` reads it: `models[].advanced.topic.partitions`, `runtime.engine.clusters.<cluster>`. */
  readonly path: string;
  readonly field: Field;
}

/** Every row of a document in order, each before what it holds; the document itself is not among them. */
export function allFields(form: DocumentForm = 'project'): readonly PlacedField[] {
  const found: PlacedField[] = [];
  visit(documents[form], '', found);
  return found;
}

function visit(field: Field, path: string, found: PlacedField[]): void {
  if (path !== '') found.push({ path, field });
  if (isLeaf(field)) return;
  switch (field.type) {
    case 'object':
    case 'choice':
      for (const [key, row] of Object.entries(field.fields)) {
        visit(row, path === '' ? key : `${path}.${key}`, found);
      }
      return;
    case 'map':
      visit(field.values, `${path}.<${field.keys}>`, found);
      return;
    case 'list':
      visit(field.items, `${path}[]`, found);
      return;
    case 'union':
      for (const option of field.options) {
        if (option.type === 'list') visit(option.items, `${path}[]`, found);
      }
      return;
    case 'any':
  }
}
