const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Longest units first. */
const units = [
  ['d', DAY],
  ['h', HOUR],
  ['min', MINUTE],
  ['s', SECOND],
] as const;

/** A duration as a setting of the engine, in the longest unit that divides it: `90 min`. */
export function settingDuration(ms: number): string {
  const unit = units.find(([, length]) => ms > 0 && ms % length === 0);
  return unit === undefined ? `${ms} ms` : `${ms / unit[1]} ${unit[0]}`;
}

/**
 * A duration as an interval of SQL. Every unit has two digits unless more are written, and seconds have three at most: `INTERVAL
 * '5' SECOND`, `INTERVAL '120.5' SECOND(3)`, `INTERVAL '0 00:20:00.000' DAY TO SECOND`.
 */
export function interval(ms: number): string {
  const fraction = ms % SECOND === 0 ? '' : `.${digits(ms % SECOND, 3)}`;
  const seconds = Math.floor(ms / SECOND);
  if (seconds < 100) return `INTERVAL '${seconds}${fraction}' SECOND`;
  if (seconds < 1000) return `INTERVAL '${seconds}${fraction}' SECOND(3)`;
  const days = Math.floor(ms / DAY);
  const clock = [
    digits(Math.floor((ms % DAY) / HOUR), 2),
    digits(Math.floor((ms % HOUR) / MINUTE), 2),
    `${digits(Math.floor((ms % MINUTE) / SECOND), 2)}${fraction}`,
  ].join(':');
  const width = String(days).length;
  return `INTERVAL '${days} ${clock}' DAY${width > 2 ? `(${width})` : ''} TO SECOND`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
