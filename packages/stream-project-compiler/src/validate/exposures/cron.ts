/** The valid values of one field of a cron expression. */
interface CronField {
  /** In words, for messages. */
  readonly title: string;
  readonly min: number;
  readonly max: number;
  /** Three letters of each, from `min` on. */
  readonly names?: readonly string[];
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const second: CronField = { title: 'second', min: 0, max: 59 };
const usual: readonly CronField[] = [
  { title: 'minute', min: 0, max: 59 },
  { title: 'hour', min: 0, max: 23 },
  { title: 'day', min: 1, max: 31 },
  { title: 'month', min: 1, max: 12, names: months },
  { title: 'day of the week', min: 0, max: 7, names: weekdays },
];
const year: CronField = { title: 'year', min: 1970, max: 2199 };

/** Longest of each month, February of a leap year. */
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Why a cron expression never runs. */
export interface CronProblem {
  readonly message: string;
  /** Of the field, in the expression. */
  readonly start: number;
  readonly end: number;
}

/**
 * What is wrong with the fields of a cron expression: five as in POSIX, six with the second first, seven with the year last. Apart from
 * numbers, names, lists, ranges and steps it takes what schedulers add: `?`, `L`, `W` and `#`. Undefined for one that runs some day.
 */
export function cronProblem(expression: string): CronProblem | undefined {
  if (expression.startsWith('@')) return undefined;
  const parts = [...expression.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, start: index }));
  const fields = fieldsOf(parts.length);
  for (const [index, { text, start }] of parts.entries()) {
    const field = fields[index];
    const problem = field === undefined ? undefined : fieldProblem(text, field);
    if (problem !== undefined) return { message: problem, start, end: start + text.length };
  }
  return dayProblem(parts, fields);
}

function fieldsOf(count: number): readonly CronField[] {
  if (count === 5) return usual;
  return count === 6 ? [second, ...usual] : [second, ...usual, year];
}

/** `*`, `5`, `1-5`, `MON-FRI`, each with a step; `?`, `L`, `LW`, `15W`, `6L`, `6#3`. */
const item = /^(?:\*|\?|LW?|L-\d+|(\d+|[A-Z]{3})(?:-(\d+|[A-Z]{3})|W|L|#[1-5])?)(?:\/(\d+))?$/i;

function fieldProblem(text: string, field: CronField): string | undefined {
  for (const part of text.split(',')) {
    const [, from, to, step] = item.exec(part) ?? ['', part, undefined, undefined];
    const low = from === undefined ? undefined : numberOf(from, field);
    const high = to === undefined ? undefined : numberOf(to, field);
    for (const [written, value] of [[from, low] as const, [to, high] as const]) {
      if (written === undefined || (value !== undefined && value >= field.min && value <= field.max))
        continue;
      return `"${written}" is not a valid ${field.title}, expected ${field.min} to ${field.max}`;
    }
    if (step !== undefined && Number(step) === 0) return `the step of the ${field.title} is 0`;
    if (low !== undefined && high !== undefined && low > high && field.names === undefined) {
      return `the range "${part}" of the ${field.title} goes backwards`;
    }
  }
  return undefined;
}

function numberOf(text: string, { names = [], min }: CronField): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text.toUpperCase());
  return index === -1 ? undefined : index + min;
}

interface CronPart {
  readonly text: string;
  readonly start: number;
}

/** A day that none of the months has, such as the 31st of February; only where both are plain numbers or lists of them. */
function dayProblem(parts: readonly CronPart[], fields: readonly CronField[]): CronProblem | undefined {
  const at = fields.findIndex(({ title }) => title === 'day');
  const [day, month, weekday] = [parts[at], parts[at + 1], parts[at + 2]];
  if (day === undefined || month === undefined || !/^(?:\*|\?)$/.test(weekday?.text ?? '')) return undefined;
  const days = day.text.split(',').map(Number);
  const monthField = fields[at + 1];
  const chosen = month.text
    .split(',')
    .map((text) => (monthField === undefined ? undefined : numberOf(text, monthField)));
  if (days.some(Number.isNaN) || chosen.some((one) => one === undefined)) return undefined;
  const longest = Math.max(...chosen.map((one) => daysOfMonth[(one ?? 1) - 1] ?? 31));
  if (Math.min(...days) <= longest) return undefined;
  const message = `none of its months has a day ${Math.min(...days)}`;
  return { message, start: day.start, end: day.start + day.text.length };
}
