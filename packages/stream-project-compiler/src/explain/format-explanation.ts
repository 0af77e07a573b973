import type { Materialization } from '@levada/stream-project-schema';
import type { ColumnOrigin } from '../columns/nodes/node-columns.ts';
import { printable } from '../diagnostics/quote.ts';
import type {
  ExplainedChanges,
  ExplainedColumn,
  ExplainedPlace,
  ExplainedWatermark,
  ModelExplanation,
} from './model-explanation.ts';

type Row = readonly string[];

const kinds: Readonly<Record<Materialization, string>> = {
  engine: 'a job on the engine',
  topic: 'a topic',
  virtual_topic: 'a virtual topic of the gateway',
  sink: 'a sink',
};

/** An explanation for people: what the model becomes and why, then one part for each kind of fact, every line with its place. */
export function formatExplanation(explanation: ModelExplanation): string {
  const parts: readonly string[] = [
    head(explanation),
    kindText(explanation),
    part(
      'values',
      explanation.values.map((one) => [one.what, String(one.value), `${place(one.at)}  ${one.path}`]),
    ),
    part('watermark', watermarkRows(explanation.watermark)),
    part('rows', changeRows(explanation.changes)),
    part(
      'reads',
      explanation.inputs.map(({ id, name, at }) => [id ?? `${name} (not of this project)`, place(at)]),
    ),
    part(
      'read by',
      explanation.readBy.map((id) => [id]),
    ),
    part('columns', columnRows(explanation)),
    part('rows decided by', influenceRows(explanation)),
    part(
      'masks',
      explanation.masks.map(({ column, method, forRoles, at }) => [
        column,
        method,
        forRoles.length === 0 ? 'for everybody' : `for ${forRoles.join(', ')}`,
        place(at),
      ]),
    ),
    part(
      'deprecation',
      explanation.deprecation.map(({ version, sunsetDate, message, at }) => [
        version,
        sunsetDate === undefined ? 'without a date' : `until ${sunsetDate}`,
        message ?? '',
        place(at),
      ]),
    ),
    part(
      'tests',
      explanation.tests.map(({ name, type, at }) => [name, type ?? '', place(at)]),
    ),
  ];
  return parts.join('');
}

function head({ id, at, description }: ModelExplanation): string {
  const first = `${id.replace(':', ' ')}  ${place(at)}\n`;
  return description === undefined
    ? first
    : `${first}${description.trim().split('\n').map(printable).join('\n')}\n`;
}

function kindText({ materialized }: ModelExplanation): string {
  if (materialized === undefined)
    return '\nmaterialization could not be inferred; run "levada project validate"\n';
  const { kind, reason, at, line } = materialized;
  return `\nbecomes ${kinds[kind]}, because ${reason}\n  ${place(at)}  ${line}\n`;
}

function watermarkRows(watermark: ExplainedWatermark | undefined): readonly Row[] {
  if (watermark === undefined) return [];
  const { column, strategy, delayMs, allowedLatenessMs, inherited, path, at } = watermark;
  const late = strategy === 'monotonously_increasing' ? 'times only increase' : `up to ${delayMs} ms late`;
  const lateness = allowedLatenessMs === undefined ? '' : `, windows accept ${allowedLatenessMs} ms more`;
  const from = inherited ? 'passed through by the SQL, from' : 'from';
  return [[column, late + lateness, from, `${place(at)}  ${path}`]];
}

const changeWords: Readonly<Record<ExplainedChanges['kind'], string>> = {
  append: 'appended',
  upsert: 'updated',
  retract: 'updated and withdrawn',
};

function changeRows(changes: ExplainedChanges | undefined): readonly Row[] {
  if (changes === undefined) return [];
  const { kind, cause, at, keys } = changes;
  const why = cause === undefined ? '' : `: ${cause}`;
  const found = keys.map((key) => (key.length === 0 ? 'one row' : `key: ${key.join(', ')}`));
  return [[`${changeWords[kind]}${why}`, at === undefined ? '' : place(at)], ...found.map((one) => [one])];
}

function columnRows({ columns, columnsIncomplete }: ModelExplanation): readonly Row[] {
  const rows = columns.map((column) => [
    column.name,
    column.type ?? '?',
    origins(column),
    [column.time === undefined ? '' : `${column.time} time`, classification(column)]
      .filter((word) => word !== '')
      .join(', '),
    place(column.at),
  ]);
  if (columnsIncomplete === undefined) return rows;
  return [...rows, [`there may be more: ${columnsIncomplete.reason}  ${place(columnsIncomplete.at)}`]];
}

function classification({ classification: found }: ExplainedColumn): string {
  if (found === undefined) return '';
  const from = found.from === undefined ? '' : ` from ${found.from.node}.${found.from.column}`;
  return `${found.level}${from}${found.masked ? ', masked' : ''}`;
}

function origins({ origins: all }: ExplainedColumn): string {
  return all.map(origin).join(', ');
}

const words: Readonly<Record<ColumnOrigin['through'], string>> = {
  identity: '',
  transformation: 'made of ',
  aggregation: 'aggregate of ',
};

function origin({ node, column, through }: ColumnOrigin): string {
  return `${words[through]}${node}.${column}`;
}

function influenceRows({ influences }: ModelExplanation): readonly Row[] {
  return influences.map(({ node, column, by }) => [`${node}.${column}`, by]);
}

function place({ file, line, column }: ExplainedPlace): string {
  return `${printable(file)}:${line}:${column}`;
}

/** A heading and aligned lines; empty without any. A row of one cell does not widen the first column. */
function part(heading: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of cells) {
    if (row.length < 2) continue;
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  const lines = cells.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd(),
  );
  return `\n${heading}\n${lines.join('\n')}\n`;
}
