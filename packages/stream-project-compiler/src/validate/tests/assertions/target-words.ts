import { quote } from '../../../diagnostics/quote.ts';
import type { NodeId } from '../../../resolve/node-id.ts';

/** A node in words: `model "orders"` of `model:orders`. */
export function targetWords(id: NodeId): string {
  const colon = id.indexOf(':');
  return `${id.slice(0, colon)} ${quote(id.slice(colon + 1))}`;
}
