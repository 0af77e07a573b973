import type { CatalogueEntry } from '../../diagnostics/catalogue.ts';
import { assertionCodes } from './assertions/assertion-codes.ts';
import { declaredCodes } from './declared/declared-codes.ts';
import { exposureCodes } from './exposures/exposure-codes.ts';
import { suiteCodes } from './suites/suite-codes.ts';

/** Codes of tests, exposures and declared columns (32xx). */
export const testCodes = {
  ...assertionCodes,
  ...suiteCodes,
  ...exposureCodes,
  ...declaredCodes,
} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
