import type { Definition } from '../../parse/definition.ts';

/** Whether an exposure lists something below a key. What is wrong there was reported, and is something. */
export function lists({ node }: Definition<'exposure'>, key: 'consumes' | 'produces'): boolean {
  const list = node.entries.get(key)?.node;
  return list !== undefined && (list.kind !== 'list' || list.items.length > 0);
}

/** Whether it cannot be told what an exposure does not list: it has no list at all, or keys that may be meant for one. */
export function isOpen(definition: Definition<'exposure'>): boolean {
  if (definition.node.hasUnknownKeys === true) return true;
  return !lists(definition, 'consumes') && !lists(definition, 'produces');
}
