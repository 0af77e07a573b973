import { placeOf } from '../../parse/node-place.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { TextRange } from '../../text/range.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { RuleContext } from '../rule.ts';
import { isText } from './governance-rule.ts';

/** One entry of a rule that is a list. */
export interface ListedRule {
  readonly value: string;
  /** As it may be shown. */
  readonly shown: string;
  readonly range: TextRange;
}

/** The entries of a rule that lists texts, each once; those that cannot be read are left out. */
export function listedRules({ project }: RuleContext, name: string): readonly ListedRule[] {
  const { rules } = project.resolved.parsed;
  const node = rules === undefined ? undefined : placeOf(rules.node, name).node;
  if (rules === undefined || node?.kind !== 'list') return [];
  const found = new Map<string, ListedRule>();
  for (const item of node.items) {
    if (!item.known || !isText(item.value) || found.has(item.value)) continue;
    const range = rangeAt(rules.file, item.span);
    found.set(item.value, { value: item.value, shown: shownText(item, item.value), range });
  }
  return [...found.values()];
}
