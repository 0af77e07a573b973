import type { CodeTable } from '../../diagnostics/diagnostic.ts';
import { assertionCodes } from './assertions/assertion-codes.ts';
import { suiteCodes } from './suites/suite-codes.ts';

/** Codes of tests (320x to 322x). */
export const testCodes = {
  ...assertionCodes,
  ...suiteCodes,
} as const satisfies CodeTable;
