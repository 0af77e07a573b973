import type { CatalogueEntry } from '../../diagnostics/catalogue.ts';

/** Codes of 33xx. */
export const securityCodes = {} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
