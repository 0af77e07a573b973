import type { Argument, Call, Column } from '@levada/stream-sql';
import type { ColumnMistake } from '../query-context.ts';

/** Milliseconds of each unit whose length is always the same. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['WEEK', 604_800_000],
  ['DAY', 86_400_000],
  ['HOUR', 3_600_000],
  ['MINUTE', 60_000],
  ['SECOND', 1000],
]);

/** The names of a step and of the whole, in the order of the arguments after the table and its time. */
const parts: ReadonlyMap<string, readonly [step: string, whole: string]> = new Map([
  ['HOP', ['SLIDE', 'SIZE']],
  ['CUMULATE', ['STEP', 'SIZE']],
]);

/** What is wrong about a window whose size is not a multiple of its step. */
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
    message: `the size of ${name} is not a multiple of its ${stepName.toLowerCase()}`,
    hint: `use a multiple of ${stepName.toLowerCase()}`,
    start,
    end,
  };
}

/** Which windows a call makes. Those with the same text have the same bounds; parts have bounds of their own. */
export function windowOf(call: Call): { readonly window: string; readonly isByPart: boolean } {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  const isByPart = call.arguments.some(
    ({ value }) => value.kind === 'table-argument' && value.partitionBy.length > 0,
  );
  const lengths = call.arguments.flatMap((argument) => {
    const ms = lengthOfArgument(argument);
    return ms === undefined ? [] : `${argument.name?.name.toUpperCase() ?? ''}${ms}`;
  });
  const window = [name, ...lengths, ...(isByPart ? [`at ${call.start}`] : [])].join(' ');
  return { window, isByPart };
}

function lengthOf(
  { arguments: all }: Call,
  name: string,
  position: number,
): { readonly ms: number; readonly argument: Argument } | undefined {
  const named = all.find((argument) => argument.name?.name.toUpperCase() === name);
  const argument = named ?? all[position];
  if (argument === undefined || (named === undefined && argument.name !== undefined)) return undefined;
  const ms = lengthOfArgument(argument);
  return ms === undefined ? undefined : { ms, argument };
}

/** Milliseconds of an interval that is written out in one unit whose length is always the same. */
export function lengthOfArgument({ value }: Argument): number | undefined {
  if (value.kind !== 'interval' || value.value.kind !== 'literal' || value.qualifier.to !== undefined) {
    return undefined;
  }
  const unit = UNIT_MS.get(value.qualifier.from);
  const number = Number(value.value.value);
  return unit === undefined || !Number.isFinite(number) ? undefined : unit * number;
}

/** The columns of `DESCRIPTOR(a, b)`. */
export function descriptorColumns(call: Call): readonly Column[] {
  return call.arguments.flatMap(({ value }) =>
    isDescriptor(value)
      ? value.arguments.flatMap((argument) => (argument.value.kind === 'column' ? argument.value : []))
      : [],
  );
}

export function isDescriptor(value: Argument['value']): value is Call {
  return value.kind === 'call' && value.name.at(-1)?.name.toUpperCase() === 'DESCRIPTOR';
}
