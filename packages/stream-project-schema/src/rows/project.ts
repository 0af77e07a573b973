import type { ObjectField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';

export const projectField = {
  type: 'object',
  doc: 'What the project is called.',
  required: true,
  fields: {
    name: {
      type: 'text',
      required: true,
      notEmpty: true,
      format: 'label',
      doc: 'Unique name of the project.',
    },
    version: { type: 'text', format: 'semver', doc: 'Semantic version of the project.' },
    description: { type: 'text', doc: 'What the project is for.' },
  },
} as const satisfies ObjectField;

/** The section `project`. */
export type ProjectMetadata = ValueOf<typeof projectField>;
