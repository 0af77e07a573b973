import type { Span } from '@levada/stream-sql';
import { reservedKeys } from '../../artifacts/sinks/connector-file.ts';
import { topicNames } from '../../artifacts/topic-names.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { objectAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { EntryNode, LeafNode } from '../../parse/typed-node.ts';
import { isReplaced, shownText, valuePlaces } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { at, atReference, finding, named } from '../finding.ts';
import { nameHints } from '../name-hint.ts';
import type { CheckedModel, ModelRule, Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/**
 * Whether a model has a sink block. One without `sql` and without it was reported, and most likely lacks the `sql`: nothing is said
 * of it as a sink.
 */
export function hasSink({ node }: Definition<'model'>): boolean {
  return node.entries.has('sink') || placeOf(node, ['advanced', 'sink']).node !== undefined;
}

/** The configuration of a sink's connector. */
interface SinkConfig {
  /** Below the model. */
  readonly path: readonly string[];
  readonly entries: ReadonlyMap<string, EntryNode>;
}

const configPaths = [
  ['sink', 'config'],
  ['advanced', 'sink', 'config'],
];

/** What a model says of its connector, if it is a sink. */
function sinkConfigs({ model, as }: CheckedModel): readonly SinkConfig[] {
  if (as?.kind !== 'sink') return [];
  return configPaths.flatMap((path) => {
    const config = objectAt(model.definition.node, path);
    return config === undefined ? [] : [{ path, entries: config.entries }];
  });
}

/** No model reads a sink: what a sink writes is outside of the platform. Exposures and tests may name one. */
export const sinkRead: Rule = ({ project }) => {
  const { models } = project.resolved;
  const sinks = new Map(
    [...models.values()].flatMap((model) => {
      const as = project.materialized.get(model.name);
      return as?.kind === 'sink' && hasSink(model.definition) ? [[model.id, as] as const] : [];
    }),
  );
  return [...models.values()].flatMap(({ id, definition, inputs }) =>
    inputs.flatMap((input) => {
      const sink = input.target === undefined || input.target === id ? undefined : sinks.get(input.target);
      if (sink === undefined) return [];
      return [
        finding(structureCodes['sink-read'], atReference(definition, input), {
          message: `${named(definition)} reads model ${quote(input.shown)}, which is a sink and writes no topic`,
          related: [{ message: `a sink because ${sink.reason}`, range: sink.range }],
          hint: 'read the input of the sink instead',
        }),
      ];
    }),
  );
};

/** No configuration of a sink says what the model says. */
export const reservedConfig: ModelRule = () => (checked) => {
  const { definition, name } = checked.model;
  return sinkConfigs(checked).flatMap(({ path, entries }) =>
    [...entries.keys()].flatMap((key) => {
      const says = reservedKeys.get(key);
      if (says === undefined) return [];
      return [
        finding(structureCodes['reserved-config'], at(definition, [...path, key], 'key'), {
          message: `sink ${quote(name)}: ${quote(key)} in the connector configuration has no effect, because it is set by ${says}`,
          hint: `remove it, and set ${says} instead`,
        }),
      ];
    }),
  );
};

/** The largest number that the connector runtime reads: it is an int of 32 bits. */
const MAX_TASKS = 2_147_483_647;

/** `tasks.max` of a sink is a number of tasks. */
export const tasksMax: ModelRule = () => (checked) => {
  const { definition, name } = checked.model;
  return sinkConfigs(checked).flatMap(({ path, entries }) => {
    const node = entries.get('tasks.max')?.node;
    if (node === undefined || isNumberOfTasks(node.value) || !node.known) return [];
    const isLeaf = node.kind === 'leaf';
    const what = isLeaf
      ? quote(shownText(node, String(node.value)))
      : `a${node.kind === 'list' ? ' list' : 'n object'}`;
    const place = at(definition, [...path, 'tasks.max'], isLeaf ? 'value' : 'key');
    return [
      finding(structureCodes['tasks-max'], place, {
        message: `"tasks.max" of sink ${quote(name)} is ${what}, expected an integer of at least 1`,
      }),
    ];
  });
};

function isNumberOfTasks(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const text = String(value).trim();
  return /^\+?\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_TASKS;
}

/** Keys under which connectors take `<topic>:<table>`, with commas between. */
const mappingKey = /topics?[._-]?(?:2|to)[._-]?tables?/i;

/** A mapping of topics to tables names topics that the sink reads. */
export const sinkMapping: Rule = ({ project }) => {
  const names = topicNames(project);
  return [...project.resolved.models.values()].flatMap((model) => {
    const configs = sinkConfigs({ model, as: project.materialized.get(model.name) });
    if (configs.length === 0 || !isWhole(model.definition)) return [];
    const topics = names.readBy(model);
    // Of an input that is not known the topic may be meant
    if (topics.length < new Set(model.inputs.map(({ target, name }) => target ?? name)).size) return [];
    return configs.flatMap(({ path, entries }) =>
      [...entries.values()].flatMap(({ key, node }) => {
        if (!mappingKey.test(key) || node.kind !== 'leaf' || typeof node.value !== 'string') return [];
        if (isReplaced(node) || node.secret === true) return [];
        return unknownTopics(model, { path: [...path, key], node, topics });
      }),
    );
  });
};

/** Whether every entry of `from` can be read. */
function isWhole({ node }: Definition<'model'>): boolean {
  const from = node.entries.get('from')?.node;
  return from?.known === true && (from.kind !== 'list' || from.items.every(({ known }) => known));
}

interface Mapping {
  /** Below the model. */
  readonly path: readonly string[];
  readonly node: LeafNode;
  readonly topics: readonly string[];
}

function unknownTopics(
  { definition, name }: ResolvedModel,
  { path, node, topics }: Mapping,
): readonly Diagnostic[] {
  const places = valuePlaces(definition, node);
  const known = new Set(topics);
  const hintFor = nameHints(topics, { says: 'the sink reads' });
  return [...entriesOf(String(node.value))].flatMap(({ topic, span }) => {
    // Connectors take patterns of topics as well
    if (known.has(topic) || !/^[\w.-]+$/.test(topic)) return [];
    const place = { ...at(definition, path), range: places.rangeOf(span) };
    return [
      finding(structureCodes['sink-mapping'], place, {
        message: `"${path.at(-1)}" of sink ${quote(name)} maps topic ${quote(topic)}, which the sink does not read`,
        hint: hintFor(topic),
      }),
    ];
  });
}

/** The topics of `a:one, b:two` with their places; entries without a colon have none. */
function* entriesOf(text: string): Generator<{ readonly topic: string; readonly span: Span }> {
  let start = 0;
  for (const entry of text.split(',')) {
    const colon = entry.indexOf(':');
    const topic = entry.slice(0, Math.max(colon, 0)).trim();
    const at = start + entry.indexOf(topic);
    if (topic !== '') yield { topic, span: { start: at, end: at + topic.length } };
    start += entry.length + 1;
  }
}
