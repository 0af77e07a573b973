import type { CatalogueEntry } from '../../diagnostics/catalogue.ts';

/** Codes of 31xx. */
export const structureCodes = {} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
