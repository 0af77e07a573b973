import { type Document, isCollection, isPair, isScalar, parseDocument, type Scalar, visit } from 'yaml';

/** Decides, again and again, how the next thing is written: a number from 0 up to, not including, `below`. */
export type Choose = (below: number) => number;

const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

/** The same values in another layout: flow or block, quotes or none, comments, blank lines, wider indentation, aliases. */
export function rewritten(text: string, choose: Choose): string {
  const document = parseDocument(text, { keepSourceTokens: false });
  visit(document, {
    Scalar: (key, node) => writeScalar(node, { choose, isKey: key === 'key' }),
    Collection: (_, node) => {
      node.flow = choose(4) === 0;
      if (choose(5) === 0) node.comment = ' a comment: "not a value"';
    },
  });
  shareScalars(document, choose);
  const other = document.toString({ lineWidth: 0, indent: 2 + choose(3), indentSeq: choose(2) === 0 });
  // Three times in a thousand the library writes what it does not read as the same itself.
  return sameValues(text, other) ? other : text;
}

function sameValues(one: string, other: string): boolean {
  return valuesIn(one) === valuesIn(other);
}

function valuesIn(text: string): string {
  return JSON.stringify(parseDocument(text, { logLevel: 'error' }).toJS());
}

/** Only text can be written in all ways: a number in quotes would be text. */
function writeScalar(
  node: Scalar,
  { choose, isKey }: { readonly choose: Choose; readonly isKey: boolean },
): void {
  if (typeof node.value !== 'string') return;
  const style = styles[choose(isKey ? 3 : styles.length)];
  if (style !== undefined) node.type = style;
  if (choose(6) === 0 && !isKey) node.spaceBefore = true;
}

/** Words that come again become aliases of where they came first. SQL does not: what is shared is reported once. */
function shareScalars(document: Document, choose: Choose): void {
  const first = new Map<string, Scalar>();
  visit(document, {
    Scalar: (key, node, path) => {
      const { value } = node;
      if (key === 'key' || typeof value !== 'string' || /\s/.test(value) || value === '') return undefined;
      const earlier = first.get(value);
      first.set(value, earlier ?? node);
      const above = path.at(-1);
      const inValue = isPair(above) || isCollection(above);
      if (earlier === undefined || !isScalar(earlier) || !inValue || choose(3) > 0) return undefined;
      return document.createAlias(earlier, earlier.anchor ?? `same_${first.size}`);
    },
  });
}
