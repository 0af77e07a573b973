import type { InferredProject } from '../infer/infer-project.ts';
import { listAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { isOnlyReferences } from '../parse/secret-in-clear.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import type { ResolvedTest } from '../resolve/resolved-project.ts';
import { assertionsOf } from '../test-jobs/assertion.ts';
import { severityOf } from '../test-jobs/continuous-test.ts';
import type { ProjectTests } from '../test-jobs/project-tests.ts';
import type { TestJob } from '../test-jobs/test-job.ts';
import { inputFacts, type JobFileInput, jobInputSchema, statementLines } from './job-file.ts';
import { listOf, object, type SchemaPart, text, texts } from './schema-parts.ts';
import { topicNames } from './topic-names.ts';

/** The shape of {@link TestFile}; a number after the "/" that grows when a reader could break. */
export const testFileSchema = 'levada.test/1';

/** A test as data. Statements of a continuous one are in the file of the same name that ends in `.sql`. */
export interface TestFile {
  readonly schema: typeof testFileSchema;
  readonly test: string;
  /** Path of the test's file below the project's folder. */
  readonly file: string;
  readonly type: string;
  /** Id of the source or model under test. */
  readonly target: string;
  /** Absent where the target has none, as sinks do. */
  readonly topic?: string;
  /** Records that a test of type `sample` looks at. */
  readonly sample_size?: number;
  /** `error` or `warning`; `error` where the test says nothing. */
  readonly severity: string;
  /** What to do when an assertion does not hold, as it is written. */
  readonly actions: readonly unknown[];
  readonly assertions: readonly TestFileAssertion[];
  /** Of a continuous test that the engine runs. */
  readonly job?: TestFileJob;
}

interface TestFileAssertion {
  readonly assertion: string;
  /** As it is written, with variables. */
  readonly value: unknown;
  /** Of a continuous test: whether statements check it, or the types of the columns say that it holds. Absent where it cannot run. */
  readonly checked?: 'statements' | 'types';
}

interface TestFileJob {
  /** Cluster of the engine; absent where the project names none. */
  readonly cluster?: string;
  readonly engine_version: string;
  /** In order of first use. */
  readonly reads: readonly JobFileInput[];
  readonly writes: readonly {
    readonly topic: string;
    readonly tables: readonly string[];
    readonly holds: string;
  }[];
  readonly assumed_types: TestJob['assumed'];
  /** First line of each statement in the file, from 1. */
  readonly statements: readonly number[];
}

/** The facts of a test, and whether the project's own files hold a secret of its actions, which is then in here too. */
export function testFile(
  test: ResolvedTest,
  project: InferredProject,
  { tests }: ProjectTests,
): { readonly body: TestFile; readonly secret: boolean } {
  const { name, definition, target = '' } = test;
  const { value, file } = definition;
  const continuous = tests.get(name);
  const topic = test.target === undefined ? undefined : topicNames(project).of(test.target);
  const checked = new Map(
    continuous?.checked.map(({ assertion, alwaysHolds }) => [
      assertion.path.join(' '),
      alwaysHolds ? ('types' as const) : ('statements' as const),
    ]),
  );
  const actions = listAt(definition.node, 'on_failure.actions')?.items ?? [];
  return {
    body: {
      schema: testFileSchema,
      test: name,
      file: file.path,
      type: value?.type ?? '',
      target,
      ...(topic === undefined ? {} : { topic }),
      ...(value?.sample_size === undefined ? {} : { sample_size: value.sample_size }),
      severity: severityOf(test),
      actions: actions.map(asWritten),
      assertions: assertionsOf(test).map(({ kind, node, path }) => {
        const how = checked.get(path.join(' '));
        return { assertion: kind, value: asWritten(node), ...(how === undefined ? {} : { checked: how }) };
      }),
      ...(continuous?.job === undefined ? {} : { job: jobPart(continuous.job) }),
    },
    secret: holdsSecret(placeOf(definition.node, 'on_failure').node),
  };
}

function jobPart(job: TestJob): TestFileJob {
  const { cluster, version, writes, assumed } = job;
  return {
    ...(cluster === undefined ? {} : { cluster: cluster.value }),
    engine_version: version,
    reads: inputFacts(job),
    writes,
    assumed_types: assumed,
    statements: statementLines(job),
  };
}

/** A value with its variables as they are written. Depth is bounded by the reader of YAML. */
function asWritten(node: TypedNode): unknown {
  if (node.kind === 'leaf') return node.scalar.value;
  if (node.kind === 'list') return node.items.map(asWritten);
  return Object.fromEntries([...node.entries.values()].map((entry) => [entry.key, asWritten(entry.node)]));
}

function holdsSecret(node: TypedNode | undefined): boolean {
  if (node?.kind === 'list') return node.items.some(holdsSecret);
  if (node?.kind === 'object') return [...node.entries.values()].some((entry) => holdsSecret(entry.node));
  return node?.secret === true && !isOnlyReferences(node.scalar.value ?? '');
}

const anything: SchemaPart = {};
const integer: SchemaPart = { type: 'integer' };

/** The JSON Schema (draft 2020-12) of `tests/<test>.json`. */
export const testFileJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Test of a compiled stream project',
  ...object({
    schema: { const: testFileSchema },
    test: text,
    file: text,
    type: { enum: ['schema', 'sample', 'continuous'] },
    target: text,
    'topic?': text,
    'sample_size?': integer,
    severity: { enum: ['error', 'warning'] },
    actions: listOf({ type: 'object' }),
    assertions: listOf(
      object({ assertion: text, value: anything, 'checked?': { enum: ['statements', 'types'] } }),
    ),
    'job?': object({
      'cluster?': text,
      engine_version: text,
      reads: listOf(jobInputSchema),
      writes: listOf(
        object({ topic: text, tables: texts, holds: { enum: ['violations', 'failed-records'] } }),
      ),
      assumed_types: listOf(object({ node: text, column: text, type: text })),
      statements: listOf(integer),
    }),
  }),
};
