import { nearestName } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** Where any kind of policy is accepted, a word that is nearly a known one is most likely meant for it. */
export const nearPolicy: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition }) => policyWords(definition));

/** The same of alerts. */
export const nearAlert: Rule = ({ project }) =>
  [...project.resolved.tests.values()].flatMap(({ definition }) => alertWords(definition));

const policyKinds = ['mask'];

function policyWords(model: Definition<'model'>): readonly Diagnostic[] {
  return itemsAt(model, 'security.policies').flatMap(({ item, path }) => {
    if (item.kind !== 'object') return [];
    return [...item.entries.values()].flatMap(({ key, keySpan: span }) =>
      near(model, { word: key, words: policyKinds, what: 'policy', path: `${path}.${key}`, span }),
    );
  });
}

function alertWords(test: Definition<'test'>): readonly Diagnostic[] {
  return itemsAt(test, 'on_failure.actions').flatMap(({ item, path }) => {
    const { node } = placeOf(item, 'alert.type');
    if (node?.kind !== 'leaf' || !node.known || isReplaced(node)) return [];
    const { span, value, row } = node;
    const words = row.type === 'text' ? (row.suggestions ?? []) : [];
    return near(test, { word: String(value), words, what: 'alert', path: `${path}.alert.type`, span });
  });
}

function itemsAt(
  definition: Definition,
  path: string,
): readonly { readonly item: TypedNode; readonly path: string }[] {
  const { node } = placeOf(definition.node, path.split('.'));
  if (node?.kind !== 'list') return [];
  return node.items.map((item, index) => ({ item, path: `${definition.path}.${path}[${index}]` }));
}

interface Word {
  readonly word: string;
  readonly words: readonly string[];
  readonly what: string;
  readonly path: string;
  readonly span: Span;
}

function near(definition: Definition, { word, words, what, path, span }: Word): readonly Diagnostic[] {
  const meant = words.includes(word) ? undefined : nearestName(word, words);
  if (meant === undefined) return [];
  return [
    diagnose(structureCodes['near-word'], {
      message: `${quote(word)} is no kind of ${what} that is known`,
      path,
      object: definition.object,
      range: rangeAt(definition.file, span),
      hint: `did you mean "${meant}"?`,
    }),
  ];
}
