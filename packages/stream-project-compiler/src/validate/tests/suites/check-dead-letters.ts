import type { FieldPath } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { isText } from '../../../parse/known-value.ts';
import { placeOf } from '../../../parse/node-place.ts';
import type { ResolvedTest } from '../../../resolve/resolved-project.ts';
import { findingAt, rangeBelow, wordsOf } from '../../finding-at.ts';
import { shown } from '../../shown-value.ts';
import { suiteCodes } from './suite-codes.ts';
import type { TopicUses } from './topic-uses.ts';

/** Reports a topic for records that fail from which they come back, or that a model fills with other records. */
export function checkDeadLetters(
  { definition, target }: ResolvedTest,
  path: FieldPath,
  topicsOf: () => TopicUses,
): readonly Diagnostic[] {
  const { node } = placeOf(definition.node, path);
  if (!isText(node) || target === undefined) return [];
  const topics = topicsOf();
  const topic = quote(shown(node));
  const hint = 'name a topic that nothing else writes';
  const start = `${wordsOf(definition)} writes records that fail to the topic ${topic}`;
  if (topics.topicOf(target) === node.value) {
    const message = `${start}, which is the topic under test, so they fail again and again`;
    return [findingAt(suiteCodes['dead-letter-loop'], definition, { path, message, hint })];
  }
  if (topics.inputsOf(target).includes(node.value)) {
    const message = `${start}, which the model under test reads, so they come back`;
    return [findingAt(suiteCodes['dead-letter-loop'], definition, { path, message, hint })];
  }
  const writer = topics.writers.get(node.value);
  if (writer === undefined) return [];
  const message = `${start}, which ${wordsOf(writer)} writes too`;
  const related = [{ message: 'the model', range: rangeBelow(writer, ['name']) }];
  return [findingAt(suiteCodes['dead-letter-topic-shared'], definition, { path, message, hint, related })];
}
