import type { Definition } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ObjectNode, TypedNode } from '../parse/typed-node.ts';
import { placeIn, shownWords } from './explained-place.ts';
import type { ExplainedDeprecation, ExplainedMask } from './model-explanation.ts';

/** The masks of a model, in order. */
export function explainMasks(definition: Definition<'model'>): readonly ExplainedMask[] {
  return itemsAt(definition.node, 'security.policies').flatMap((policy) => {
    const mask = policy.entries.get('mask')?.node;
    if (mask?.kind !== 'object') return [];
    const column = shownWords(mask.entries.get('column')?.node);
    const method = mask.entries.get('method')?.node;
    if (column === undefined || method?.known !== true) return [];
    const roles = mask.entries.get('for_roles')?.node;
    const forRoles = roles?.kind === 'list' ? roles.items.flatMap((role) => shownWords(role) ?? []) : [];
    return [{ column, method: String(method.value), forRoles, at: placeIn(definition, mask.span) }];
  });
}

/** Versions of a model that will go. */
export function explainDeprecation(definition: Definition<'model'>): readonly ExplainedDeprecation[] {
  return entriesAt(definition.node, 'deprecation').flatMap(({ key, keySpan, node }) => {
    if (node.kind !== 'object') return [];
    const sunsetDate = shownWords(node.entries.get('sunset_date')?.node);
    const message = shownWords(node.entries.get('message')?.node);
    return [
      {
        version: key,
        ...(sunsetDate === undefined ? {} : { sunsetDate }),
        ...(message === undefined ? {} : { message }),
        at: placeIn(definition, keySpan),
      },
    ];
  });
}

function itemsAt(from: TypedNode, path: string): readonly ObjectNode[] {
  const { node } = placeOf(from, path);
  return node?.kind === 'list' ? node.items.filter((item) => item.kind === 'object') : [];
}

function entriesAt(from: TypedNode, path: string) {
  const { node } = placeOf(from, path);
  return node?.kind === 'object' ? [...node.entries.values()] : [];
}
