// For transformations and converters: texts as Java reads and writes them.

export { decimalText, isDecimal } from './java-decimal.ts';
export { javaDouble, javaFloat } from './java-number.ts';
export type { JavaPattern, PatternMatch } from './java-pattern.ts';
export { javaPattern } from './java-pattern.ts';
export { javaTrim } from './java-text.ts';
