import { decimal } from './make-type.ts';
import type { SqlType } from './sql-type.ts';

/** Digits in all, and of them behind the point. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** What the engine holds at most. */
const MAX_DIGITS = 38;

/** Digits behind the point that are kept when there are too many before it. */
const MIN_SCALE = 6;

/** How many digits the result of an operator has, before the limit. */
export const decimalResults: Readonly<
  Record<'+' | '-' | '*' | '/' | '%', (one: Digits, other: Digits) => Digits>
> = {
  '+': sum,
  '-': sum,
  '*': (one, other) => ({ precision: one.precision + other.precision + 1, scale: one.scale + other.scale }),
  '/': (one, other) => {
    const scale = Math.max(MIN_SCALE, one.scale + other.precision + 1);
    return { precision: one.precision - one.scale + other.scale + scale, scale };
  },
  '%': (one, other) => {
    const scale = Math.max(one.scale, other.scale);
    return { precision: Math.min(whole(one), whole(other)) + scale, scale };
  },
};

function whole({ precision, scale }: Digits): number {
  return precision - scale;
}

function sum(one: Digits, other: Digits): Digits {
  const { precision, scale } = widest(one, other);
  return { precision: precision + 1, scale };
}

function widest(one: Digits, other: Digits): Digits {
  const scale = Math.max(one.scale, other.scale);
  return { precision: Math.max(whole(one), whole(other)) + scale, scale };
}

/** The decimal of so many digits; of too many the fraction is cut, down to six digits. */
export function limitedDecimal({ precision, scale }: Digits, nullable: boolean): SqlType {
  if (precision <= MAX_DIGITS) return decimal(precision, scale, nullable);
  const kept = Math.max(MAX_DIGITS - (precision - scale), Math.min(scale, MIN_SCALE));
  return decimal(MAX_DIGITS, kept, nullable);
}

/** The decimal that holds both. Of too many digits those before the point are kept. */
export function commonDecimal(one: Digits, other: Digits, nullable: boolean): SqlType {
  const before = Math.max(whole(one), whole(other));
  const scale = Math.min(Math.max(one.scale, other.scale), MAX_DIGITS - before);
  return decimal(before + scale, scale, nullable);
}
