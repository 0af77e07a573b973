import type { Argument, Call } from '@levada/stream-sql';
import { typeWords } from '../../types/type-context.ts';
import type { ColumnMistake, QueryContext } from '../query-context.ts';
import { expressionType } from '../scope/expression-type.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';

interface WindowForm {
  /** What stands behind the table and its time. */
  readonly sizes: readonly string[];
  /** Whether one more may stand behind them: by how much windows are moved. */
  readonly offset: boolean;
}

const FORMS: ReadonlyMap<string, WindowForm> = new Map([
  ['TUMBLE', { sizes: ['SIZE'], offset: true }],
  ['HOP', { sizes: ['SLIDE', 'SIZE'], offset: true }],
  ['CUMULATE', { sizes: ['STEP', 'SIZE'], offset: true }],
  ['SESSION', { sizes: ['GAP'], offset: false }],
]);

/** Of years and months no two are of one length. */
const UNEVEN: ReadonlySet<string> = new Set(['YEAR', 'QUARTER', 'MONTH']);

/** Reports what TUMBLE, HOP, CUMULATE and SESSION in FROM do not take. False where it is not worth to look further. */
export function checkWindowArguments(call: Call, place: ExpressionPlace): void {
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
    report(call, `${name} with ${call.arguments.length} arguments, ${list} were expected`, context);
    return;
  }
  if (time !== undefined && time.value.kind === 'column') {
    report(time, `${name} of a column as its time, DESCRIPTOR of the column was expected`, context);
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
      `${name} of ${type} as a length of time, an INTERVAL was expected`,
      context,
      "write INTERVAL '1' MINUTE",
    );
    return;
  }
  if (value.kind !== 'interval') return;
  const { from } = value.qualifier;
  const number = value.value.kind === 'literal' ? Number(value.value.value) : undefined;
  if (UNEVEN.has(from)) {
    report(argument, `${name} over an interval of type ${from}, days or less were expected`, context);
  } else if (number === 0 && (name === 'TUMBLE' || name === 'SESSION')) {
    report(argument, `${name} over no time at all, an interval longer than 0 was expected`, context);
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

/** Milliseconds of each unit whose length is always the same. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['WEEK', 604_800_000],
  ['DAY', 86_400_000],
  ['HOUR', 3_600_000],
  ['MINUTE', 60_000],
  ['SECOND', 1000],
]);

/** The names of a step and of the whole, in the order of the arguments behind the table and its time. */
const parts: ReadonlyMap<string, readonly [step: string, whole: string]> = new Map([
  ['HOP', ['SLIDE', 'SIZE']],
  ['CUMULATE', ['STEP', 'SIZE']],
]);

/** What is wrong about a window whose size is no multiple of its step. */
export function windowSizeMistake(call: Call): ColumnMistake | undefined {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  const [stepName, wholeName] = parts.get(name) ?? [];
  if (stepName === undefined || wholeName === undefined) return undefined;
  const step = lengthOf(call, stepName, 2);
  const whole = lengthOf(call, wholeName, 3);
  if (step === undefined || whole === undefined || step.ms === 0 || whole.ms % step.ms === 0) {
    return undefined;
  }
  const { start, end } = whole.argument;
  return {
    name: 'window-size',
    message: `the size of ${name} is no multiple of its ${stepName.toLowerCase()}, which the engine asks for`,
    hint: `take a size that ${stepName.toLowerCase()} divides`,
    start,
    end,
  };
}

function lengthOf(
  { arguments: all }: Call,
  name: string,
  position: number,
): { readonly ms: number; readonly argument: Argument } | undefined {
  const named = all.find((argument) => argument.name?.name.toUpperCase() === name);
  const argument = named ?? all[position];
  if (argument === undefined || (named === undefined && argument.name !== undefined)) return undefined;
  const { value } = argument;
  if (value.kind !== 'interval' || value.value.kind !== 'literal' || value.qualifier.to !== undefined) {
    return undefined;
  }
  const unit = UNIT_MS.get(value.qualifier.from);
  const number = Number(value.value.value);
  return unit === undefined || !Number.isFinite(number) ? undefined : { ms: unit * number, argument };
}
