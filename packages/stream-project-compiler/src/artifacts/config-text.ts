import { isOnlyReferences } from '../parse/secret-in-clear.ts';
import type { EntryNode, LeafNode, TypedNode } from '../parse/typed-node.ts';
import type { SourceFile } from '../text/source-file.ts';

/** Configuration as text, and which of it must not be shown. */
export interface ConfigTexts {
  readonly texts: ReadonlyMap<string, string>;
  /** Keys whose text holds a secret that is written in the project's own file. */
  readonly secretKeys: ReadonlySet<string>;
}

/** No configuration. */
const none: ConfigTexts = { texts: new Map(), secretKeys: new Set() };

/**
 * A map of configuration with every value as text, as topics and connectors take it. Variables stay as they are written
 * (`${NAME}`, and `$${` for the text `${`): they are replaced where the artifact is applied, so that no value of the environment
 * is ever written to a file. Lists are joined by commas, other structures written as JSON.
 */
export function configTexts(map: TypedNode | undefined, file: SourceFile): ConfigTexts {
  if (map?.kind !== 'object') return none;
  const entries = [...map.entries.values()].filter(({ node }) => node.known);
  return {
    texts: new Map(entries.map(({ key, node }) => [key, textOf(node, file)])),
    secretKeys: new Set(entries.filter(holdsSecret).map(({ key }) => key)),
  };
}

function textOf(node: TypedNode, file: SourceFile): string {
  if (node.kind === 'leaf') return leafText(node, file);
  if (node.kind === 'list' && node.items.every(({ kind }) => kind === 'leaf')) {
    return node.items.map((item) => textOf(item, file)).join(',');
  }
  return JSON.stringify(structureOf(node));
}

/** Long whole numbers lose digits when they are read as numbers. */
function leafText({ scalar }: LeafNode, { text }: SourceFile): string {
  const { value, span } = scalar;
  if (typeof value !== 'number') return value === null ? '' : String(value);
  const written = text.slice(span.start, span.end);
  return /^-?\d+$/.test(written) && Number(written) === value ? written : String(value);
}

/** Depth is bounded by the reader of YAML. */
function structureOf(node: TypedNode): unknown {
  if (node.kind === 'leaf') return node.scalar.value;
  if (node.kind === 'list') return node.items.map(structureOf);
  return Object.fromEntries([...node.entries.values()].map((entry) => [entry.key, structureOf(entry.node)]));
}

function holdsSecret({ node }: Pick<EntryNode, 'node'>): boolean {
  if (node.kind === 'list') return node.items.some((item) => holdsSecret({ node: item }));
  if (node.kind === 'object') return [...node.entries.values()].some(holdsSecret);
  return node.secret === true && !isOnlyReferences(node.scalar.value ?? '');
}
