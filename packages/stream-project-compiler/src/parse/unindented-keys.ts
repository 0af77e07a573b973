import { child, type Field } from '@levada/stream-project-schema';
import type { YamlMap, YamlNode } from './yaml-tree.ts';

const none: ReadonlyMap<string, readonly string[]> = new Map();

/** More keys are not looked at. */
const MAX_KEYS = 64;

/**
 * For keys without a value, the keys beside them that belong below and are unknown where they stand: `columns` for `not_null`
 * where `- not_null:` and `columns:` stand in one column.
 */
export function unindentedKeys(row: Field, { entries }: YamlMap): ReadonlyMap<string, readonly string[]> {
  if (entries.length > MAX_KEYS || !entries.some(({ value }) => isNothing(value))) return none;
  const found = new Map<string, readonly string[]>();
  for (const { key, value } of entries) {
    const field = isNothing(value) ? child(row, key) : undefined;
    if (field?.type !== 'object' && field?.type !== 'choice') continue;
    const below = entries
      .map((entry) => entry.key)
      .filter((other) => child(row, other) === undefined && child(field, other) !== undefined);
    if (below.length > 0) found.set(key, below);
  }
  return found;
}

function isNothing(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.broken !== true;
}
