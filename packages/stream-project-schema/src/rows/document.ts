import type { ObjectField, Section } from '../fields/field.ts';
import { type Defaults, defaultsField } from './defaults.ts';
import { type Exposure, exposureField } from './exposure.ts';
import { type Model, modelField } from './model.ts';
import { type ProjectMetadata, projectField } from './project.ts';
import { type Rules, rulesField } from './rules.ts';
import { type Runtime, runtimeField } from './runtime.ts';
import { type Source, sourceField } from './source.ts';
import { type DataTest, testField } from './test.ts';

const definitionFields = {
  sources: { type: 'list', doc: 'Topics that exist already.', items: sourceField },
  models: { type: 'list', doc: 'Transformations that make new streams.', items: modelField },
  tests: { type: 'list', doc: 'Assertions on data.', items: testField },
  exposures: { type: 'list', doc: 'Consumers and producers outside of the project.', items: exposureField },
} as const satisfies Section;

const projectFile = {
  type: 'object',
  doc: 'The project file, `stream_project.yml`.',
  fields: {
    project: projectField,
    runtime: runtimeField,
    defaults: defaultsField,
    rules: rulesField,
    ...definitionFields,
  },
} as const satisfies ObjectField;

const fragmentFile = {
  type: 'object',
  doc: 'A file in a sub-directory, with any of the four keys.',
  fields: definitionFields,
} as const satisfies ObjectField;

/** Which file: the project file `stream_project.yml`, or a file in a sub-directory. */
export type DocumentForm = 'project' | 'fragment';

/** Rows of a whole file. */
export const documents: Readonly<Record<DocumentForm, ObjectField>> = {
  project: projectFile,
  fragment: fragmentFile,
};

/** What a file in a sub-directory holds: any of the four keys. A key without a value counts as absent. */
export interface FragmentDocument {
  readonly sources?: readonly Source[] | undefined;
  readonly models?: readonly Model[] | undefined;
  readonly tests?: readonly DataTest[] | undefined;
  readonly exposures?: readonly Exposure[] | undefined;
}

/** What `stream_project.yml` holds. An optional section without a value counts as absent. */
export interface ProjectDocument extends FragmentDocument {
  readonly project: ProjectMetadata;
  readonly runtime: Runtime;
  readonly defaults?: Defaults | undefined;
  readonly rules?: Rules | undefined;
}
