import type { AssertionKind } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Rule } from '../../rule.ts';
import { checkRange, checkThroughput } from './check-bounds.ts';
import { checkBuckets } from './check-buckets.ts';
import { checkEmptiness, checkTestEmptiness } from './check-emptiness.ts';
import { checkRepeatedAssertions, checkRepeatedEntries } from './check-repetition.ts';
import { assertionsOf, type PlacedAssertion } from './placed-assertion.ts';

/** What one kind of assertion is checked for beyond its columns. */
const checks: Readonly<
  Partial<Record<AssertionKind, (assertion: PlacedAssertion) => readonly Diagnostic[]>>
> = {
  distribution: checkBuckets,
  range: checkRange,
  throughput: checkThroughput,
};

/** What the assertions of each test say. */
export const checkAssertions: Rule = ({ project }) =>
  [...project.resolved.tests.values()].flatMap((test) => {
    const assertions = assertionsOf(test);
    return [
      ...checkTestEmptiness(test),
      ...checkRepeatedAssertions(assertions),
      ...assertions.flatMap((assertion) => [
        ...checkEmptiness(assertion),
        ...checkRepeatedEntries(assertion),
        ...(checks[assertion.kind]?.(assertion) ?? []),
      ]),
    ];
  });
