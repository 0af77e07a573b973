import type { CST } from 'yaml';

/** A piece of a file that contains no others, and its place in a formatted file. */
export interface YamlLeaf {
  readonly type: string;
  readonly source: string;
  readonly offset: number;
  /** Blanks before it when it begins a line, and before its further lines if it is a scalar of several. */
  readonly indent: number;
  /** Of a block scalar: the column of what it is a value of, as written. */
  readonly parent: number;
  /** Within brackets or braces, where the author's own lines stay. */
  readonly flow: boolean;
}

interface Place {
  readonly indent: number;
  readonly flow: boolean;
}

/** Blanks for a level. */
export const STEP = 2;

/** The pieces of a document in their order, each with its place: two blanks for every level, list entries too. */
export function yamlLeaves(tokens: readonly CST.Token[]): readonly YamlLeaf[] {
  const leaves: YamlLeaf[] = [];
  for (const token of tokens) addToken(leaves, token, { indent: 0, flow: false });
  return leaves;
}

function addToken(leaves: YamlLeaf[], token: CST.Token, place: Place): void {
  if (token.type === 'document') {
    addAll(leaves, token.start, place);
    if (token.value !== undefined) addToken(leaves, token.value, place);
    addAll(leaves, token.end, place);
  } else if (token.type === 'block-map' || token.type === 'block-seq') {
    for (const item of token.items) addEntry(leaves, item, place);
  } else if (token.type === 'flow-collection') {
    addToken(leaves, token.start, place);
    for (const item of token.items) addEntry(leaves, item, { ...place, flow: true });
    addFlowEnd(leaves, token.end, place);
  } else if (token.type === 'block-scalar') {
    addAll(leaves, token.props, place);
    leaves.push(leaf(token, place));
  } else {
    leaves.push(leaf(token, place));
    if ('end' in token) addAll(leaves, token.end, place);
  }
}

function addEntry(leaves: YamlLeaf[], item: CST.CollectionItem, place: Place): void {
  addAll(leaves, item.start, place);
  if (item.key !== undefined && item.key !== null) addToken(leaves, item.key, place);
  addAll(leaves, item.sep, place);
  if (item.value !== undefined) addToken(leaves, item.value, below(place));
}

/** What follows the closing bracket is outside of it. */
function addFlowEnd(leaves: YamlLeaf[], end: readonly CST.SourceToken[], place: Place): void {
  let flow = true;
  for (const token of end) {
    addToken(leaves, token, { ...place, flow });
    if (token.type === 'flow-map-end' || token.type === 'flow-seq-end') flow = place.flow;
  }
}

function addAll(leaves: YamlLeaf[], tokens: readonly CST.Token[] | undefined, place: Place): void {
  for (const token of tokens ?? []) addToken(leaves, token, place);
}

function leaf(token: CST.Token & { readonly source?: string }, { indent, flow }: Place): YamlLeaf {
  const { type, offset, source = '' } = token;
  const parent = 'indent' in token ? token.indent : 0;
  return { type, source, offset, indent, parent, flow };
}

function below({ indent, flow }: Place): Place {
  return { indent: indent + STEP, flow };
}
