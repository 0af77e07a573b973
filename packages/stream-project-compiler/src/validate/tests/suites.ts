import type { AssertionKind } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { textAt } from '../../parse/known-value.ts';
import type { ResolvedTest } from '../../resolve/resolved-project.ts';
import { at, finding, named } from '../finding.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { shown } from '../written-value.ts';
import { assertionsOf, type PlacedAssertion } from './assertion.ts';
import { checkActions, type TopicUses, topicUses } from './dead-letters.ts';
import { testCodes } from './test-codes.ts';

/** What each test says as a whole: its type, its target and its actions. */
export const checkSuites: Rule = (context) => {
  let uses: TopicUses | undefined;
  const topics = () => {
    uses ??= topicUses(context);
    return uses;
  };
  return [...context.project.resolved.tests.values()].flatMap((test) => [
    ...checkSampleSize(test),
    ...checkTarget(context, test),
    ...context.memory.recall(assertionsOf, test, []).flatMap(checkSchemaTest),
    ...checkActions(test, topics),
  ]);
};

/** Reports a number of records for a test that takes no sample. */
function checkSampleSize({ definition }: ResolvedTest): readonly Diagnostic[] {
  const type = textAt(definition.node, 'type');
  if (type === undefined || type.value === 'sample' || !definition.node.entries.has('sample_size')) return [];
  const message = `"sample_size" of ${named(definition)} has no effect, because its type is "${type.value}"`;
  const hint = 'remove it, or write "type: sample"';
  return [
    finding(testCodes['sample-size-ignored'], at(definition, ['sample_size'], 'key'), { message, hint }),
  ];
}

/** Assertions of which declarations tell nothing beyond the names of columns. */
const needData: ReadonlySet<AssertionKind> = new Set([
  'custom_sql',
  'distribution',
  'freshness',
  'max_lag',
  'throughput',
]);

/** Reports assertions that only records can answer, in a test that reads none. */
function checkSchemaTest({ test, kind, path }: PlacedAssertion): readonly Diagnostic[] {
  const { definition } = test;
  if (textAt(definition.node, 'type')?.value !== 'schema' || !needData.has(kind)) return [];
  const message = `"${kind}" takes records, and ${named(definition)} is of type "schema", which reads none`;
  const hint = 'move it to a test of type "sample" or "continuous"';
  return [finding(testCodes['schema-test-needs-data'], at(definition, path, 'key'), { message, hint })];
}

/** Reports a test of a sink: what it writes is in another system, where no test reads it. */
function checkTarget({ project }: RuleContext, { definition }: ResolvedTest): readonly Diagnostic[] {
  const name = textAt(definition.node, 'model');
  const model = name === undefined ? undefined : project.resolved.models.get(name.value);
  if (name === undefined || model === undefined) return [];
  if (project.materialized.get(model.name)?.kind !== 'sink') return [];
  const [input] = model.inputs;
  const hint =
    input?.target === undefined
      ? 'test the model that it reads'
      : `test what it reads: ${quote(input.shown)}`;
  const message = `${named(definition)} is about the sink ${quote(shown(name))}, which has no topic to read records from`;
  return [finding(testCodes['test-of-sink'], at(definition, ['model']), { message, hint })];
}
