import type { Span } from '@levada/stream-sql';
import { topicNames } from '../../artifacts/topic-names.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import type { LeafNode } from '../../parse/typed-node.ts';
import { isReplaced, valuePlaces } from '../../resolve/place-in-file.ts';
import { nameHints } from '../name-hint.ts';
import type { Rule } from '../rule.ts';
import { type SinkConfig, sinkConfigs } from './sink-config.ts';
import { structureCodes } from './structure-codes.ts';

/** Keys under which connectors take `<topic>:<table>`, with commas between. */
const mappingKey = /topics?[._-]?(?:2|to)[._-]?tables?/i;

/** A mapping of topics to tables names topics that the sink reads. */
export const sinkMapping: Rule = (context) => {
  const names = topicNames(context.project);
  return sinkConfigs(context).flatMap((sink) => {
    const { inputs, definition } = sink.model;
    const topics = names.readBy(sink.model);
    // Of an input that is not known the topic may be meant
    if (
      !isWhole(definition) ||
      topics.length < new Set(inputs.map(({ target, name }) => target ?? name)).size
    )
      return [];
    return [...sink.entries.values()].flatMap(({ key, node }) => {
      if (!mappingKey.test(key) || node.kind !== 'leaf' || typeof node.value !== 'string') return [];
      return isReplaced(node) || node.secret === true ? [] : unknownTopics(sink, { key, node, topics });
    });
  });
};

/** Whether every entry of `from` can be read. */
function isWhole({ node }: Definition<'model'>): boolean {
  const from = node.entries.get('from')?.node;
  return from?.known === true && (from.kind !== 'list' || from.items.every(({ known }) => known));
}

interface Mapping {
  readonly key: string;
  readonly node: LeafNode;
  readonly topics: readonly string[];
}

function unknownTopics({ model, path }: SinkConfig, { key, node, topics }: Mapping): readonly Diagnostic[] {
  const { definition, name } = model;
  const places = valuePlaces(definition, node);
  const known = new Set(topics);
  const hintFor = nameHints(topics, { says: 'it reads' });
  return [...entriesOf(String(node.value))].flatMap(({ topic, span }) => {
    // Connectors take patterns of topics as well
    if (known.has(topic) || !/^[\w.-]+$/.test(topic)) return [];
    return [
      diagnose(structureCodes['sink-mapping'], {
        message: `"${key}" of sink ${quote(name)} maps the topic ${quote(topic)}, which the sink does not read`,
        path: `${path}.${key}`,
        object: definition.object,
        range: places.rangeOf(span),
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
