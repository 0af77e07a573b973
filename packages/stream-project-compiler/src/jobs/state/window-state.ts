import type { Argument, Call } from '@levada/stream-sql';
import { isDescriptor, lengthOfArgument } from '../../columns/relations/window-call.ts';
import { nodeText } from './node-text.ts';
import {
  columnForm,
  type Flow,
  type FormedColumn,
  inputForm,
  type StateContext,
  shownInputs,
  type WindowFacts,
} from './state-parts.ts';

/** Names of the lengths of each window, in the order in which they are written without names. */
const lengths: Readonly<Record<string, readonly (readonly [name: string, key: LengthKey])[]>> = {
  TUMBLE: [
    ['SIZE', 'size_ms'],
    ['OFFSET', 'offset_ms'],
  ],
  HOP: [
    ['SLIDE', 'step_ms'],
    ['SIZE', 'size_ms'],
    ['OFFSET', 'offset_ms'],
  ],
  CUMULATE: [
    ['STEP', 'step_ms'],
    ['SIZE', 'size_ms'],
    ['OFFSET', 'offset_ms'],
  ],
  SESSION: [['GAP', 'size_ms']],
};

type LengthKey = 'size_ms' | 'step_ms' | 'offset_ms';

/** Whether a function makes windows. */
export function isWindowCall({ name }: Call): boolean {
  return Object.hasOwn(lengths, name.at(-1)?.name.toUpperCase() ?? '');
}

/** The windows of `TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size))`, or of `TUMBLE(ts, size)` in GROUP BY. */
export function windowFacts(call: Call, parts: readonly FormedColumn[], context: StateContext): WindowFacts {
  const window = call.name.at(-1)?.name.toUpperCase() ?? '';
  const time = call.arguments.find(({ value }) => value.kind === 'column' || isDescriptor(value))?.value;
  const column = time?.kind === 'call' ? time.arguments[0]?.value : time;
  const values = call.arguments.filter(
    ({ name, value }) => isLengthName(window, name?.name) || (name === undefined && isLength(value)),
  );
  const given = (lengths[window] ?? []).map(([name, key], index) => {
    const named = values.find((one) => one.name?.name.toUpperCase() === name);
    return { key, argument: named ?? values.filter((one) => one.name === undefined)[index] };
  });
  const known = given.flatMap(({ key, argument }) => {
    // With variables only the file says what is written
    const ms = argument === undefined || !context.columns.mayHint ? undefined : lengthOfArgument(argument);
    return ms === undefined ? [] : [[key, ms] as const];
  });
  return {
    isRaw: true,
    shape: {
      window,
      ...Object.fromEntries(known),
      ...(column?.kind === 'column' ? { time: nodeText(column, context.text) } : {}),
    },
    form: JSON.stringify([
      window,
      column?.kind === 'column' ? nodeText(column, context.form) : '',
      ...given.map(
        ({ argument }) => argument && (lengthIn(argument) ?? nodeText(argument.value, context.form)),
      ),
      ...columnForm(parts),
    ]),
  };

  function lengthIn(argument: Argument): number | undefined {
    return context.columns.mayHint ? lengthOfArgument(argument) : undefined;
  }
}

function isLengthName(window: string, name: string | undefined): boolean {
  return name !== undefined && (lengths[window] ?? []).some(([one]) => one === name.toUpperCase());
}

function isLength(value: Argument['value']): boolean {
  return value.kind === 'interval' || (value.kind === 'unary' && value.operand.kind === 'interval');
}

/** Rows with their sessions, which are known only when no row can come between. Other windows follow from each row alone. */
export function withSessions(
  rows: Flow,
  columns: () => readonly FormedColumn[],
  { parts }: StateContext,
): Flow {
  const { window } = rows;
  if (window?.isRaw !== true || window.shape.window !== 'SESSION') return rows;
  const added = parts.add(
    'window',
    { kind: 'window', inputs: shownInputs(rows), ...window.shape, keys: [], aggregates: [], keeps: 'window' },
    [inputForm(rows), window.form, columnForm(columns())],
  );
  return { ...added, window: { ...window, isRaw: false } };
}
