/** Where the text of a block scalar is, and where it belongs. */
export interface BlockScalarPlace {
  /** Its header: `|`, `>-`, `|2`. */
  readonly header: string;
  /** Column of what it is a value of, as written: a header with a digit counts from there. */
  readonly parent: number;
  /** Column of that when it is formatted. */
  readonly newParent: number;
  /** Column of the text when it is formatted, unless the header says otherwise. */
  readonly indent: number;
}

/** The text of a block scalar with its lines moved to their place; relative to each other they stay. */
export function moveBlockScalar(source: string, place: BlockScalarPlace): string {
  const lines = source.split(/\r?\n/);
  const digit = Number(/[1-9]/.exec(place.header)?.[0] ?? 0);
  const column = digit === 0 ? contentColumn(lines) : place.parent + digit;
  const indent = digit === 0 ? place.indent : place.newParent + digit;
  const moved = lines.map((line) => {
    if (line.length <= column && line.trim() === '') return '';
    return ' '.repeat(indent) + line.slice(column);
  });
  return place.header.includes('+') ? moved.join('\n') : withoutLastBlanks(moved);
}

/** As the format finds it: that of the first line that is not empty. */
function contentColumn(lines: readonly string[]): number {
  const first = lines.find((line) => line.trim() !== '');
  return first === undefined ? 0 : first.length - first.trimStart().length;
}

/** At most one empty line at the end: it says nothing, save with `+`. */
function withoutLastBlanks(lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => line !== '');
  const ends = Math.min(lines.length - 1 - last, 2);
  return lines.slice(0, last + 1).join('\n') + '\n'.repeat(ends);
}

/** A plain or quoted scalar with its further lines moved to a column; relative to each other they stay. */
export function moveFlowScalar(source: string, indent: number): string {
  const [first = '', ...rest] = source.split(/\r?\n/);
  if (rest.length === 0) return source;
  const columns = rest
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const column = columns.length === 0 ? 0 : Math.min(...columns);
  const moved = rest.map((line) => (line.trim() === '' ? '' : ' '.repeat(indent) + line.slice(column)));
  return [first, ...moved].join('\n');
}
