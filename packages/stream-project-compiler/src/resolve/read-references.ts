import type { Definition } from '../parse/definition.ts';
import { isText } from '../parse/known-value.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { rangeAt } from '../text/source-file.ts';
import type { ModelSql } from './model-sql.ts';
import { type NodeId, nodeId } from './node-id.ts';
import { isReplaced, shownText } from './place-in-file.ts';
import type { ProjectSymbols } from './project-symbols.ts';
import type { Reference, ReferenceUse } from './reference.ts';

/** The macros of a model's SQL, each name once, in order of first use. Macros in comments are none. */
export function sqlReferences(
  model: Definition<'model'>,
  { leaf, parsed, rangeOf, writtenAt }: ModelSql,
  symbols: ProjectSymbols,
): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const { macro, name, nameStart: start, nameEnd: end } of parsed.macros) {
    const key = `${macro} ${name}`;
    // A name with white space around it was reported
    if (found.has(key) || name === '' || name !== name.trim()) continue;
    const kind = macro === 'ref' ? 'model' : 'source';
    found.set(key, {
      kind,
      name,
      use: 'sql',
      target: targetOf(kind, name, symbols),
      path: `${model.path}.sql`,
      range: () => rangeOf({ start, end }),
      shown: isReplaced(leaf) ? writtenAt({ start, end }) : name,
    });
  }
  return [...found.values()];
}

/** The references in `from`: a text, or a list of `{ref}` and `{source}`. */
export function fromReferences(model: Definition<'model'>, symbols: ProjectSymbols): readonly Reference[] {
  const node = model.node.entries.get('from')?.node;
  if (node?.kind !== 'leaf') return listReferences({ definition: model, key: 'from', use: 'from' }, symbols);
  return textReference({ definition: model, path: 'from', node, kind: 'either', use: 'from' }, symbols);
}

interface ReferenceList {
  readonly definition: Definition;
  readonly key: string;
  readonly use: ReferenceUse;
}

/** A list of `{ref}` and `{source}`. */
export function listReferences(
  { definition, key, use }: ReferenceList,
  symbols: ProjectSymbols,
): readonly Reference[] {
  const list = definition.node.entries.get(key)?.node;
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((item, index) => {
    if (item.kind !== 'object') return [];
    return (['ref', 'source'] as const).flatMap((word) => {
      const node = item.entries.get(word)?.node;
      const kind = word === 'ref' ? 'model' : 'source';
      const path = `${key}[${index}].${word}`;
      return textReference({ definition, path, node, kind, use }, symbols);
    });
  });
}

/** The model under test, and the models that its foreign keys name. */
export function testReferences(test: Definition<'test'>, symbols: ProjectSymbols): readonly Reference[] {
  const node = test.node.entries.get('model')?.node;
  const target = textReference(
    { definition: test, path: 'model', node, kind: 'either', use: 'test' },
    symbols,
  );
  const assertions = test.node.entries.get('assertions')?.node;
  if (assertions?.kind !== 'list') return target;
  const keys = assertions.items.flatMap((item, index) => {
    const foreign = item.kind === 'object' ? item.entries.get('foreign_key')?.node : undefined;
    const model = foreign?.kind === 'object' ? foreign.entries.get('ref_model')?.node : undefined;
    const path = `assertions[${index}].foreign_key.ref_model`;
    return textReference({ definition: test, path, node: model, kind: 'model', use: 'test' }, symbols);
  });
  return [...target, ...keys];
}

interface NamedText {
  readonly definition: Definition;
  readonly path: string;
  readonly node: TypedNode | undefined;
  readonly kind: Reference['kind'];
  readonly use: ReferenceUse;
}

/** Nothing where there is no text: that was reported. */
function textReference(
  { definition, path, node, kind, use }: NamedText,
  symbols: ProjectSymbols,
): readonly Reference[] {
  if (!isText(node) || node.value === '') return [];
  const name = node.value;
  const named = targetOf(kind, name, symbols);
  const isTopic = named === undefined && kind === 'either' && use === 'from';
  return [
    {
      kind,
      name,
      use,
      target: isTopic ? ownerOf(name, definition, symbols) : named,
      path: `${definition.path}.${path}`,
      range: () => rangeAt(definition.file, node.span),
      shown: shownText(node, name),
    },
  ];
}

/** Whether a reference of an earlier call still means the same, though a topic may have been renamed since. */
export function meansTheSame(
  reference: Reference,
  definition: Definition<'model'>,
  symbols: ProjectSymbols,
): boolean {
  const { kind, name, use, target } = reference;
  if (kind !== 'either' || use !== 'from' || targetOf(kind, name, symbols) !== undefined) return true;
  return ownerOf(name, definition, symbols) === target;
}

/** Whose topic it is; what a model writes itself it does not read. */
function ownerOf(topic: string, user: Definition, { topicOwners }: ProjectSymbols): NodeId | undefined {
  const own = nodeId('model', user.name ?? '');
  return topicOwners()
    .get(topic)
    ?.find((id) => id !== own);
}

function targetOf(
  kind: Reference['kind'],
  name: string,
  { model, source }: ProjectSymbols,
): NodeId | undefined {
  if (kind !== 'source' && model.has(name)) return nodeId('model', name);
  return kind !== 'model' && source.has(name) ? nodeId('source', name) : undefined;
}
