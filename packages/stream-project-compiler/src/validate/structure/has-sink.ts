import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';

/**
 * Whether a model has a sink block. One without `sql` and without it was reported, and most likely lacks the `sql`: nothing is said
 * of it as a sink.
 */
export function hasSink({ node }: Definition<'model'>): boolean {
  return node.entries.has('sink') || placeOf(node, ['advanced', 'sink']).node !== undefined;
}
