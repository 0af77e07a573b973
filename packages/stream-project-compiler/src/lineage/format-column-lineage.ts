import { printable } from '../diagnostics/quote.ts';
import type { ColumnEdge } from './column-edges.ts';
import type { ColumnLineage } from './column-lineage.ts';
import { columnText } from './format-lineage-text.ts';

/**
 * The lineage of one column for people: a line for each step, nearest first, then what decides about rows, which exposures see
 * it, and where it may go on unseen.
 */
export function formatColumnLineage(lineage: ColumnLineage): string {
  const { node, column, direction, steps, influences, gaps, exposures } = lineage;
  const none = direction === 'upstream' ? 'is made of no other column' : 'is in no other column';
  const head = columnText(node, column);
  return [
    steps.length === 0 ? `${head} ${none}` : `${head}, ${direction}:`,
    ...steps.map((step) => `  ${stepText(step, direction)}`),
    ...section(
      'which rows',
      influences.map(
        ({ from, to, by }) => `${columnText(from.node, from.column)} (${by} of ${printable(to)})`,
      ),
    ),
    ...section('seen by', exposures.map(printable)),
    ...section(
      'perhaps more',
      gaps.map((gap) => `${printable(gap.node)}: ${printable(gap.reason)}`),
    ),
    '',
  ].join('\n');
}

/** From the nearer column to the one that is further away. */
function stepText({ from, to, through }: ColumnEdge, direction: ColumnLineage['direction']): string {
  const how = through === 'identity' ? '' : ` (${through})`;
  const [before, behind] = [columnText(from.node, from.column), columnText(to.node, to.column)];
  return direction === 'upstream' ? `${behind} <- ${before}${how}` : `${before} -> ${behind}${how}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}
