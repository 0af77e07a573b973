import type { CatalogueEntry } from '../diagnostics/catalogue.ts';

/** Codes of columns, their types and time (41xx). */
export const columnCodes = {} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
