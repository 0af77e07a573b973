import type { CatalogueEntry } from '../../diagnostics/catalogue.ts';

/** Codes of 32xx. */
export const testCodes = {} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
