import { expect, expectTypeOf, test } from 'vitest';
import {
  type Assertion,
  type AssertionKind,
  assertionFields,
  type Classification,
  type DataTest,
  documents,
  type Exposure,
  type Model,
  type ProjectDocument,
  type Runtime,
  type Sink,
  type Source,
  type SourceColumn,
} from '../src/index.ts';

test('required keys are required, others may be absent', () => {
  expectTypeOf<Pick<Source, 'name' | 'topic'>>().toEqualTypeOf<{
    readonly name: string;
    readonly topic: string;
  }>();
  expectTypeOf<Source['owner']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Runtime['platform']['bootstrap_servers']>().toEqualTypeOf<string>();
  expectTypeOf<ProjectDocument['models']>().toEqualTypeOf<readonly Model[] | undefined>();
});

test('closed lists are unions of their words', () => {
  expectTypeOf<Classification>().toEqualTypeOf<
    'public' | 'internal' | 'confidential' | 'sensitive' | 'highly_sensitive'
  >();
  expectTypeOf<SourceColumn['classification']>().toEqualTypeOf<Classification | undefined>();
  expectTypeOf<DataTest['type']>().toEqualTypeOf<'schema' | 'sample' | 'continuous'>();
  expectTypeOf<Exposure['role']>().toEqualTypeOf<'producer' | 'consumer' | 'both' | undefined>();
});

test('shapes that differ are unions', () => {
  expectTypeOf<NonNullable<Model['from']>>().toEqualTypeOf<
    string | readonly ({ readonly ref: string } | { readonly source: string })[]
  >();
  expectTypeOf<'com.example.Sink'>().toExtend<Sink['connector']>();
  expectTypeOf<{ readonly positive: { readonly column: string } }>().toExtend<Assertion>();
  expectTypeOf<{ readonly positiv: { readonly column: string } }>().not.toExtend<Assertion>();
});

test('planned keys are in no type', () => {
  type Engine = NonNullable<NonNullable<Model['advanced']>['engine']>;
  expectTypeOf<keyof Engine>().toEqualTypeOf<
    | 'checkpoint_interval_ms'
    | 'delivery'
    | 'ends_job'
    | 'parallelism'
    | 'start'
    | 'start_timestamp_ms'
    | 'state_backend'
    | 'state_ttl_ms'
  >();
});

test('the types of documents have the keys of their rows', () => {
  const keys: Readonly<Record<keyof ProjectDocument, true>> = {
    project: true,
    runtime: true,
    defaults: true,
    rules: true,
    sources: true,
    models: true,
    tests: true,
    exposures: true,
  };
  expect(Object.keys(documents.project.fields)).toEqual(Object.keys(keys));
});

test('there are twelve kinds of assertions', () => {
  const kinds: readonly string[] = Object.keys(assertionFields);
  expectTypeOf<'not_null' | 'custom_sql'>().toExtend<AssertionKind>();
  expect(kinds).toHaveLength(12);
});
