import { accessLevels, materializations } from '@levada/stream-project-schema';
import type { GraphNode } from '../lineage/project-graph.ts';
import type { SelectorMethod } from './parse-selector.ts';

/** The property of a node that a method of selectors compares. */
export interface SelectorMethodRow {
  /** For usage texts. */
  readonly doc: string;
  readonly matches: (node: GraphNode, pattern: string) => boolean;
  /** Valid values; a word that is neither one of them nor close to one is a mistake. Default: any. */
  readonly names?: (nodes: readonly GraphNode[]) => Iterable<string>;
  /** A word that nothing has is a mistake, and not only a selection of nothing. */
  readonly strict: boolean;
}

const kinds = ['source', 'model', 'exposure'] as const;

/** Every method, by its prefix; `name` is the one that needs none. */
export const selectorMethods: Readonly<Record<SelectorMethod, SelectorMethodRow>> = {
  name: { ...named(), doc: 'a source, model or exposure by its name' },
  source: { ...named('source'), doc: 'a source by its name' },
  model: { ...named('model'), doc: 'a model by its name' },
  exposure: { ...named('exposure'), doc: 'an exposure by its name' },
  tag: {
    doc: 'nodes with a tag',
    matches: ({ tags }, pattern) => tags.some((tag) => matchesPattern(pattern, tag)),
    names: (nodes) => nodes.flatMap(({ tags }) => tags),
    strict: false,
  },
  owner: { ...labelled(({ owner }) => owner), doc: 'nodes of an owner' },
  group: { ...labelled(({ group }) => group), doc: 'models of a group' },
  path: {
    doc: 'nodes that a file, or any file in a folder, defines',
    matches: ({ file }, pattern) => matchesPath(pattern, file),
    names: (nodes) => nodes.map(({ file }) => file),
    strict: false,
  },
  kind: {
    doc: 'nodes of a kind: source, model, exposure, or what a model becomes',
    matches: ({ kind, materialized }, pattern) =>
      matchesPattern(pattern, kind) || (materialized !== undefined && matchesPattern(pattern, materialized)),
    names: () => [...kinds, ...Object.keys(materializations)],
    strict: true,
  },
  access: {
    doc: 'models with a level of access',
    matches: ({ access }, pattern) => access !== undefined && matchesPattern(pattern, access),
    names: () => Object.keys(accessLevels),
    strict: true,
  },
};

function named(kind?: GraphNode['kind']): Omit<SelectorMethodRow, 'doc'> {
  const isMeant = (node: GraphNode) => kind === undefined || node.kind === kind;
  return {
    matches: (node, pattern) => isMeant(node) && matchesPattern(pattern, node.name),
    names: (nodes) => nodes.filter(isMeant).map(({ name }) => name),
    strict: true,
  };
}

function labelled(label: (node: GraphNode) => string | undefined): Omit<SelectorMethodRow, 'doc'> {
  return {
    matches: (node, pattern) => {
      const text = label(node);
      return text !== undefined && matchesPattern(pattern, text);
    },
    names: (nodes) => nodes.flatMap((node) => label(node) ?? []),
    strict: false,
  };
}

/** Whether a word is one of the methods. */
export function isSelectorMethod(word: string): word is SelectorMethod {
  return Object.hasOwn(selectorMethods, word);
}

/** Whether a text is like a pattern, in which `*` stands for any characters, also none and also "/". Case counts. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether a path, or a folder that it is in, is like a pattern: `models`, `models/a*`, `*.yml`. */
export function matchesPath(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//u, '').replace(/\/$/u, '');
  return plain !== '' && (matchesPattern(plain, path) || matchesPattern(`${plain}/*`, path));
}
