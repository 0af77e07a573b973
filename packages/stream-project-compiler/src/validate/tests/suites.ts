import type { AssertionKind, FieldPath } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { isText, listAt, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedModel, ResolvedTest } from '../../resolve/resolved-project.ts';
import { assertionsOf, type PlacedAssertion } from '../../test-jobs/assertion.ts';
import { at, finding, named, rangeBelow } from '../finding.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { shown } from '../written-value.ts';
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

/** Assertions that need more than declarations. */
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
  const message = `"${kind}" requires records, but ${named(definition)} is of type "schema", which reads none`;
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
      ? 'test the model that the sink reads'
      : `test its input ${quote(input.shown)}`;
  const message = `${named(definition)} cannot test the sink ${quote(shown(name))}, which has no topic`;
  return [finding(testCodes['test-of-sink'], at(definition, ['model']), { message, hint })];
}

/** Reports a topic for records that fail from which they come back, or that a model fills with other records. */
function checkDeadLetters(
  { definition, target }: ResolvedTest,
  path: FieldPath,
  topicsOf: () => TopicUses,
): readonly Diagnostic[] {
  const { node } = placeOf(definition.node, path);
  if (!isText(node) || target === undefined) return [];
  const topics = topicsOf();
  const topic = quote(shown(node));
  const hint = 'use a topic that nothing else writes';
  const start = `${named(definition)} writes failed records to topic ${topic}`;
  if (topics.topicOf(target) === node.value) {
    const message = `${start}, which is the topic under test, so they fail again and again`;
    return [finding(testCodes['dead-letter-loop'], at(definition, path), { message, hint })];
  }
  if (topics.inputsOf(target).includes(node.value)) {
    const message = `${start}, which the model under test reads, so they fail again and again`;
    return [finding(testCodes['dead-letter-loop'], at(definition, path), { message, hint })];
  }
  const writer = topics.writers.get(node.value);
  if (writer === undefined) return [];
  const message = `${start}, which ${named(writer)} also writes`;
  const related = [{ message: 'model defined here', range: rangeBelow(writer, ['name']) }];
  return [finding(testCodes['dead-letter-topic-shared'], at(definition, path), { message, hint, related })];
}

/** Reports what a test does wrongly when an assertion does not hold. */
function checkActions(test: ResolvedTest, topics: () => TopicUses): readonly Diagnostic[] {
  const failure = test.definition.node.entries.get('on_failure')?.node;
  const actions = failure?.kind === 'object' ? listAt(failure, 'actions') : undefined;
  return (actions?.items ?? []).flatMap((_, index) =>
    checkDeadLetters(test, ['on_failure', 'actions', index, 'dlq', 'topic'], topics),
  );
}

/** Which sources and models use which topic. */
interface TopicUses {
  /** The topic of a source, or that a model writes. Undefined for a sink, and where it is not known. */
  readonly topicOf: (id: NodeId) => string | undefined;
  /** Topics that a model or source gets its records from: those of what it reads. */
  readonly inputsOf: (id: NodeId) => readonly string[];
  /** Models with SQL by the topic that they write; the first of each. */
  readonly writers: ReadonlyMap<string, Definition<'model'>>;
}

/** Looks at the topics of a project once. */
function topicUses({ project }: RuleContext): TopicUses {
  const { sources, models } = project.resolved;
  const topics = new Map<NodeId, string>();
  const writers = new Map<string, Definition<'model'>>();
  for (const [name, { node }] of sources) {
    const topic = textAt(node, 'topic')?.value;
    if (topic !== undefined) topics.set(nodeId('source', name), topic);
  }
  for (const model of models.values()) {
    const kind = project.materialized.get(model.name)?.kind;
    const { topicName } = model.settings;
    if (topicName === undefined || topicName.unsure === true || (kind !== 'engine' && kind !== 'topic'))
      continue;
    const topic = topicName.value;
    topics.set(model.id, topic);
    if (model.sql !== undefined && !writers.has(topic)) writers.set(topic, model.definition);
  }
  const byId = new Map<NodeId, ResolvedModel>([...models.values()].map((model) => [model.id, model]));
  return {
    topicOf: (id) => topics.get(id),
    inputsOf: (id) => (byId.get(id)?.inputs ?? []).flatMap((input) => topicRead(input, topics)),
    writers,
  };
}

/** A name in `from` that is neither a model nor a source is a topic. */
function topicRead(
  { target, kind, name }: Reference,
  topics: ReadonlyMap<NodeId, string>,
): readonly string[] {
  const topic = target === undefined ? (kind === 'either' ? name : undefined) : topics.get(target);
  return topic === undefined ? [] : [topic];
}
