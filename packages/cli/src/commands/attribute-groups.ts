import type { TableRow } from '../output/render.ts';

/** Attributes of a connector that belong together. */
interface AttributeGroup {
  readonly title: string;
  readonly names: RegExp;
  /** Whether attributes that are 0 say nothing, such as one cause of many. */
  readonly hidesZero: boolean;
}

/**
 * The groups, in the order in which they are looked for and printed. They go by names, because a worker answers no more than those,
 * and may have connectors that this version does not know.
 */
const groups: readonly AttributeGroup[] = [
  {
    title: 'ITEMS',
    names: /^(?:Spans|DataPoints|LogRecords|ProfileItems)(?:Received|Rejected)$/,
    hidesZero: true,
  },
  { title: 'DROPPED BY CAUSE', names: /^Dropped/, hidesZero: true },
  { title: 'REFUSED BY CAUSE', names: /^Rejected/, hidesZero: true },
  { title: 'TRAFFIC', names: /(?:Received|Dropped|Produced|Replayed)$|^DropRate$/, hidesZero: false },
  { title: 'QUEUE', names: /Queue|Spool|^InFlight|Lag|^Backlog|^Pending|HeldUp/, hidesZero: false },
  { title: 'CONNECTION', names: /Connect|Reconnect|Port$|Uptime|LastMessage/, hidesZero: false },
  {
    title: 'ERRORS',
    names: /Errors?$|Gaps$|Failed$|WrongProtocol$|^DeadLetters$|^Unaccounted|Late$|Cut$|Ignored$/,
    hidesZero: true,
  },
  { title: 'OTHER', names: /^/, hidesZero: false },
];

/** Titles in the order of printing: what is asked first comes first. */
const printed = [
  'TRAFFIC',
  'QUEUE',
  'CONNECTION',
  'ITEMS',
  'DROPPED BY CAUSE',
  'REFUSED BY CAUSE',
  'ERRORS',
  'OTHER',
];

/** Attributes of a connector as people read them. */
export interface GroupedAttributes {
  readonly sections: readonly (readonly [title: string, rows: readonly TableRow[]])[];
  /** How many attributes that are 0 were left out. */
  readonly hidden: number;
}

/** Groups the attributes, with units. Causes, items and errors that are 0 are left out unless `all`. */
export function groupedAttributes(
  values: Readonly<Record<string, unknown>>,
  all: boolean,
): GroupedAttributes {
  const rows = new Map<string, TableRow[]>(printed.map((title) => [title, []]));
  let hidden = 0;
  for (const [attribute, value] of Object.entries(values)) {
    const group = groups.find(({ names }) => names.test(attribute));
    if (!all && value === 0 && group?.hidesZero) hidden++;
    else rows.get(group?.title ?? '')?.push({ attribute, value: attributeText(attribute, value) });
  }
  return { sections: [...rows].filter(([, each]) => each.length > 0), hidden };
}

type Scale = readonly (readonly [factor: number, unit: string])[];

const bytes: Scale = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
];
const milliseconds: Scale = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** A value with its unit, and two digits where it is not whole. The unit is in the attribute's name, as the product definition has it. */
function attributeText(attribute: string, value: unknown): string {
  if (typeof value !== 'number') return String(value);
  if (/Percent$|Rate$/.test(attribute)) return `${value.toFixed(2)} %`;
  // a cause such as DroppedQueueBytes counts messages
  if (/^(?!Dropped|Rejected).*Bytes$/.test(attribute)) return scaled(value, bytes, 'B');
  if (!/^Millis|Millis$/.test(attribute)) return Number.isInteger(value) ? String(value) : value.toFixed(2);
  return value < 0 ? 'none yet' : scaled(value, milliseconds, 'ms');
}

/** The value in the largest unit of which it has one at least. */
function scaled(value: number, scale: Scale, smallest: string): string {
  const step = scale.find(([factor]) => value >= factor);
  return step === undefined ? `${value} ${smallest}` : `${(value / step[0]).toFixed(2)} ${step[1]}`;
}
