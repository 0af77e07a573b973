import type { CatalogueEntry } from '../../diagnostics/catalogue.ts';

/** Codes of 30xx. */
export const governanceCodes = {} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
