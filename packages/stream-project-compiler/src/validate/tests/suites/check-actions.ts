import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { listAt } from '../../../parse/known-value.ts';
import type { ResolvedTest } from '../../../resolve/resolved-project.ts';
import { checkDeadLetters } from './check-dead-letters.ts';
import type { TopicUses } from './topic-uses.ts';

/** Reports what a test does wrongly when an assertion does not hold. */
export function checkActions(test: ResolvedTest, topics: () => TopicUses): readonly Diagnostic[] {
  const failure = test.definition.node.entries.get('on_failure')?.node;
  const actions = failure?.kind === 'object' ? listAt(failure, 'actions') : undefined;
  return (actions?.items ?? []).flatMap((_, index) =>
    checkDeadLetters(test, ['on_failure', 'actions', index, 'dlq', 'topic'], topics),
  );
}
