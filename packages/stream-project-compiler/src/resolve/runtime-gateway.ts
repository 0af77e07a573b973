import { isDeclared } from '../parse/is-declared.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';

/**
 * Whether `runtime` describes a gateway; undefined when that cannot be determined, because a value there is wrong. An object
 * without any key counts as absent.
 */
export function hasGateway({ runtime }: Pick<ParsedProject, 'runtime'>): boolean | undefined {
  if (runtime === undefined || !isDeclared(runtime.node, 'vendor.gateway')) return undefined;
  const { node } = placeOf(runtime.node, 'vendor.gateway');
  // Unknown keys may be what is meant
  const around = placeOf(runtime.node, 'vendor').node ?? runtime.node;
  if (node === undefined && around.kind === 'object' && around.hasUnknownKeys === true) return undefined;
  return node?.kind === 'object' && (node.entries.size > 0 || node.hasUnknownKeys === true);
}
