import type { Argument, Call } from '@levada/stream-sql';
import { typeWords } from '../../types/type-context.ts';
import type { QueryContext } from '../query-context.ts';
import { descriptorColumns, windowSizeMistake } from '../relations/window-call.ts';
import { expressionType } from '../scope/expression-type.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { checkWindowTime } from './check-window-time.ts';

interface WindowForm {
  /** Arguments after the table and its time. */
  readonly sizes: readonly string[];
  /** Whether they may be followed by one more, the offset of the windows. */
  readonly offset: boolean;
}

const FORMS: ReadonlyMap<string, WindowForm> = new Map([
  ['TUMBLE', { sizes: ['SIZE'], offset: true }],
  ['HOP', { sizes: ['SLIDE', 'SIZE'], offset: true }],
  ['CUMULATE', { sizes: ['STEP', 'SIZE'], offset: true }],
  ['SESSION', { sizes: ['GAP'], offset: false }],
]);

/** Units of varying length. */
const UNEVEN: ReadonlySet<string> = new Set(['YEAR', 'QUARTER', 'MONTH']);

/** Reports what TUMBLE, HOP, CUMULATE and SESSION in FROM do not take. */
export function checkWindow(call: Call, place: ExpressionPlace): void {
  const { context } = place;
  checkArguments(call, place);
  const mistake = windowSizeMistake(call);
  // The rows of HOP can be made all the same, only groups cannot
  if (mistake !== undefined && call.name.at(-1)?.name.toUpperCase() !== 'HOP') context.report(mistake);
  const [descriptor] = descriptorColumns(call);
  const time = descriptor === undefined ? undefined : context.columns.get(descriptor)?.column;
  if (descriptor !== undefined && time !== undefined) checkWindowTime(descriptor, time, context);
}

function checkArguments(call: Call, place: ExpressionPlace): void {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  const form = FORMS.get(name);
  if (form === undefined) return;
  const { context } = place;
  checkPartition(call, name, context);
  if (call.arguments.some((argument) => argument.name !== undefined)) return;
  const [, time, ...sizes] = call.arguments;
  const wanted = form.sizes.length;
  if (sizes.length < wanted || sizes.length > wanted + (form.offset ? 1 : 0)) {
    const list = ['the table', 'DESCRIPTOR(time)', ...form.sizes.map((size) => size.toLowerCase())].join(
      ', ',
    );
    report(call, `${name} with ${call.arguments.length} arguments, expected ${list}`, context);
    return;
  }
  if (time !== undefined && time.value.kind === 'column') {
    report(time, `${name} of a column as its time, expected DESCRIPTOR of the column`, context);
  }
  for (const size of sizes) checkSize(size, { name, place });
}

function checkPartition({ arguments: all }: Call, name: string, context: QueryContext): void {
  for (const { value } of all) {
    if (value.kind !== 'table-argument' || value.partitionBy.length === 0 || name === 'SESSION') continue;
    const first = value.partitionBy[0] ?? value;
    report(
      first,
      `${name} has PARTITION BY, which only SESSION takes`,
      context,
      'group by the column as well',
    );
  }
}

interface SizePlace {
  readonly name: string;
  readonly place: ExpressionPlace;
}

function checkSize(argument: Argument, { name, place }: SizePlace): void {
  const { value } = argument;
  const { context } = place;
  if (value.kind === 'literal') {
    const type = typeWords(expressionType(value, place));
    report(
      argument,
      `${name} of ${type} as a length of time, expected an INTERVAL`,
      context,
      "write INTERVAL '1' MINUTE",
    );
    return;
  }
  if (value.kind !== 'interval') return;
  const { from } = value.qualifier;
  const number = value.value.kind === 'literal' ? Number(value.value.value) : undefined;
  if (UNEVEN.has(from)) {
    report(argument, `${name} over an interval of type ${from}, expected days or less`, context);
  } else if (number === 0 && (name === 'TUMBLE' || name === 'SESSION')) {
    report(argument, `${name} over no time at all, expected an interval longer than 0`, context);
  }
}

function report(
  { start, end }: { readonly start: number; readonly end: number },
  message: string,
  context: QueryContext,
  hint?: string,
): void {
  context.report({ name: 'window-arguments', message, hint, start, end });
}
