import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { checkOrder } from '../../check-order.ts';
import type { PlacedAssertion } from './placed-assertion.ts';

/** Reports a `range` that holds no value. */
export function checkRange({ test, node, path }: PlacedAssertion): readonly Diagnostic[] {
  const because = 'so no value is within the range';
  return checkOrder({ definition: test.definition, node, path, low: 'min', high: 'max', because });
}

/** Reports a `throughput` that no stream has. */
export function checkThroughput({ test, node, path }: PlacedAssertion): readonly Diagnostic[] {
  return checkOrder({
    definition: test.definition,
    node,
    path,
    low: 'min_per_second',
    high: 'max_per_second',
    because: 'so no stream has such a throughput',
  });
}
