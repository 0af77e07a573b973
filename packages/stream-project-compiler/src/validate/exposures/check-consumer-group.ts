import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../finding-at.ts';
import type { RuleContext } from '../rule.ts';
import { exposureCodes } from './exposure-codes.ts';
import { isOpen, lists } from './exposure-lists.ts';

/** Reports a consumer group of an exposure that reads no topic. */
export function checkConsumerGroup(
  { project }: RuleContext,
  { definition, consumes }: ResolvedExposure,
): readonly Diagnostic[] {
  if (!definition.node.entries.has('consumer_group')) return [];
  const reads = lists(definition, 'consumes');
  // Reported as a whole, or an unknown key is meant for a list
  if (isOpen(definition)) return [];
  const isSink = (name: string) => project.materialized.get(name)?.kind === 'sink';
  if (reads && !consumes.every(({ target, name }) => target?.startsWith('model:') && isSink(name))) return [];
  if (reads && consumes.length === 0) return [];
  const what = reads ? 'consumes only sinks, which have no topic' : 'consumes nothing';
  const message = `"consumer_group" of ${wordsOf(definition)} has no effect, because it ${what}`;
  return [
    findingAt(exposureCodes['consumer-group-without-topic'], definition, {
      path: ['consumer_group'],
      mark: 'key',
      message,
    }),
  ];
}
