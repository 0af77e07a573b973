import { documents, expectation, type Field } from '@levada/stream-project-schema';
import { keyPlace } from './check-constraints.ts';
import { type Definition, type DefinitionList, definitionKinds, type Parsed } from './definition.ts';
import { interpolate } from './interpolate.ts';
import { type Place, type ReadContext, reportAt, topOfFile } from './read-context.ts';
import { itemPlace } from './read-node.ts';
import { reportMissing, reportUnknown } from './read-object.ts';
import type { ObjectNode } from './typed-node.ts';
import type { YamlEntry, YamlMap, YamlNode } from './yaml-tree.ts';

/** Sections that only the project file has. */
export const sectionKeys = ['project', 'runtime', 'defaults', 'rules'] as const;

/** A section that only the project file has. */
export type SectionKey = (typeof sectionKeys)[number];

/** The values of one file. */
export interface ReadDocument {
  readonly sections: Readonly<Partial<Record<SectionKey, Parsed<unknown>>>>;
  /** In order of the file. */
  readonly definitions: readonly Definition[];
  /** All definitions have names, and no misspelt key hides some. */
  readonly complete: boolean;
}

/** Reads a whole file by the rows of its form. */
export function readDocument(context: ReadContext, tree: YamlNode | undefined): ReadDocument {
  const yaml = mapOf(context, tree);
  if (yaml === undefined) return { sections: {}, definitions: [], complete: false };
  const sections: Partial<Record<SectionKey, Parsed<unknown>>> = {};
  const definitions: Definition[] = [];
  const meant = new Set<string>();
  let complete = true;
  const { fields } = documents[context.form];
  for (const entry of yaml.entries) {
    const field = Object.hasOwn(fields, entry.key) ? fields[entry.key] : undefined;
    if (field === undefined) {
      const suggestion = reportUnknown(context, entry, topOfFile);
      if (suggestion?.kind !== 'spelling') continue;
      meant.add(suggestion.key);
      if (Object.hasOwn(definitionKinds, suggestion.key)) complete = false;
    } else if (isEmpty(entry.value)) continue;
    else if (isSection(entry.key)) {
      const section = readSection(context, field, entry);
      if (section !== undefined) sections[entry.key] = section;
    } else {
      const found = readDefinitions(context, field, entry);
      definitions.push(...found.definitions);
      complete &&= found.complete;
    }
  }
  reportMissingSections(context, yaml, meant);
  return { sections, definitions, complete };
}

function mapOf(context: ReadContext, tree: YamlNode | undefined): YamlMap | undefined {
  if (tree === undefined || isEmpty(tree)) return { kind: 'map', span: { start: 0, end: 0 }, entries: [] };
  if (tree.kind !== 'list' && tree.broken === true) return undefined;
  if (tree.kind === 'map') return tree;
  const what = tree.kind === 'list' ? 'a list' : 'text';
  const { start } = tree.span;
  const end = Math.min(tree.span.end, start + 1);
  const message = `the file is ${what}, expected ${expectation(documents[context.form])} with keys such as "models"`;
  reportAt(context, 'wrong-type', { place: topOfFile, span: { start, end }, message });
  return undefined;
}

/** A key without a value counts as absent. */
function isEmpty(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.broken !== true;
}

function isSection(key: string): key is SectionKey {
  const keys: readonly string[] = sectionKeys;
  return keys.includes(key);
}

function readSection(context: ReadContext, row: Field, entry: YamlEntry): Parsed<unknown> | undefined {
  const place = { ...keyPlace(topOfFile, entry), object: entry.key };
  const node = context.read(row, entry.value, place);
  if (node.kind !== 'object') return undefined;
  return {
    file: context.file,
    path: entry.key,
    object: entry.key,
    head: entry.keySpan,
    node,
    value: knownValue(node),
  };
}

function readDefinitions(
  context: ReadContext,
  row: Field,
  entry: YamlEntry,
): { readonly definitions: readonly Definition[]; readonly complete: boolean } {
  const place = { ...keyPlace(topOfFile, entry), object: entry.key };
  if (entry.value.kind !== 'list' || row.type !== 'list') {
    context.read(row, entry.value, place);
    return { definitions: [], complete: false };
  }
  const definitions: Definition[] = [];
  for (const [index, item] of entry.value.items.entries()) {
    const found = readDefinition(context, row.items, {
      item,
      list: entry.key as DefinitionList,
      index,
      place,
    });
    if (found !== undefined) definitions.push(found);
  }
  const named = definitions.filter(({ name }) => name !== undefined).length;
  return { definitions, complete: named === entry.value.items.length };
}

interface Item {
  readonly item: YamlNode;
  readonly list: DefinitionList;
  readonly index: number;
  readonly place: Place;
}

function readDefinition(context: ReadContext, row: Field, found: Item): Definition | undefined {
  const { item, list, index, place } = found;
  const kind = definitionKinds[list];
  const path = `${list}[${index}]`;
  const name = nameOf(context, item);
  const object = name === undefined ? path : `${kind}:${name}`;
  const below = { ...itemPlace(place, item, index), object };
  const node = context.read(row, item, below);
  if (node.kind !== 'object') return undefined;
  const known = node.entries.get('name')?.node.known === true;
  const facts = { file: context.file, path, object, head: below.head, node };
  // The row of the list decides which type the value has; the compiler cannot follow that.
  return { ...facts, kind, name: known ? name : undefined, value: knownValue(node) } as Definition;
}

function knownValue(node: ObjectNode): unknown {
  return node.known ? node.value : undefined;
}

/** The name as references say it: with its variables replaced. */
function nameOf({ variables }: ReadContext, item: YamlNode): string | undefined {
  if (item.kind !== 'map') return undefined;
  const value = item.entries.find(({ key }) => key === 'name')?.value;
  if (value?.kind !== 'scalar' || typeof value.value !== 'string' || value.value === '') return undefined;
  const interpolated = interpolate(value.value, variables);
  if (interpolated === undefined) return value.value;
  return interpolated.missing.length > 0 || interpolated.text === '' ? undefined : interpolated.text;
}

/** `meant`: those that misspelt keys mean, which were reported. */
function reportMissingSections(context: ReadContext, yaml: YamlMap, meant: ReadonlySet<string>): void {
  for (const [key, field] of Object.entries(documents[context.form].fields)) {
    if (field.required !== true) continue;
    const entry = yaml.entries.find((one) => one.key === key);
    if (entry === undefined) {
      if (!meant.has(key)) reportMissing(context, key, topOfFile);
    } else if (isEmpty(entry.value)) reportMissing(context, key, { ...topOfFile, head: entry.keySpan });
  }
}
