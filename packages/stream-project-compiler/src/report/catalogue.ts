import { columnCodes } from '../columns/column-codes.ts';
import type { CatalogueEntry, DiagnosticCode } from '../diagnostics/diagnostic.ts';
import { errataCodes } from '../errata/errata-codes.ts';
import { inferCodes } from '../infer/infer-codes.ts';
import { jobCodes } from '../jobs/job-codes.ts';
import { loadCodes } from '../load/load-codes.ts';
import { parseCodes } from '../parse/parse-codes.ts';
import { resolveCodes } from '../resolve/resolve-codes.ts';
import { testJobCodes } from '../test-jobs/test-job-codes.ts';
import { typeCodes } from '../types/type-codes.ts';
import { declarationCodes } from '../validate/declarations/declaration-codes.ts';
import { exposureCodes } from '../validate/exposures/exposure-codes.ts';
import { governanceCodes } from '../validate/governance/governance-codes.ts';
import { securityCodes } from '../validate/security/security-codes.ts';
import { sinkCodes } from '../validate/structure/sink-codes.ts';
import { structureCodes } from '../validate/structure/structure-codes.ts';
import { testCodes } from '../validate/tests/test-codes.ts';

/** The tables of all stages. Each stage reports by the rows of its own; together they are the catalogue. */
export const codeTables = [
  loadCodes,
  parseCodes,
  resolveCodes,
  governanceCodes,
  structureCodes,
  sinkCodes,
  testCodes,
  exposureCodes,
  declarationCodes,
  securityCodes,
  inferCodes,
  errataCodes,
  columnCodes,
  typeCodes,
  jobCodes,
  testJobCodes,
] as const;

type KeysOf<Table> = Table extends unknown ? keyof Table : never;
type CodesOf<Table> = Table extends unknown ? Table[keyof Table] : never;

/** A kind of finding in words: `unknown-key`. */
export type DiagnosticName = KeysOf<(typeof codeTables)[number]>;

/** A row of the catalogue. */
export interface NamedEntry extends CatalogueEntry {
  /** The code in words, as stable as the number: `unknown-key`. Accepted wherever the number is. */
  readonly name: DiagnosticName;
}

type KnownCode = CodesOf<(typeof codeTables)[number]>['code'];

const entries = codeTables.flatMap((table) =>
  Object.entries<CatalogueEntry>(table).map(([name, entry]) => ({ name: name as DiagnosticName, ...entry })),
);
const byName: ReadonlyMap<string, NamedEntry> = new Map(entries.map((entry) => [entry.name, entry]));

/**
 * Every code, by number. Numbers show the origin: 1xxx load and parse (10xx files, 11xx YAML, 12xx SQL, 13xx fields), 2xxx
 * resolve, 3xxx rules (30xx governance, 31xx structure, 32xx tests and exposures, 33xx security), 4xxx infer (41xx columns,
 * types and what sinks read), 5xxx jobs. A number is never used for something else.
 */
export const catalogue = Object.fromEntries(entries.map((entry) => [entry.code, entry])) as Readonly<
  Record<KnownCode, NamedEntry>
>;

/** The code of a name, or of a code; undefined for anything else. */
export function findCode(nameOrCode: string): DiagnosticCode | undefined {
  return Object.hasOwn(catalogue, nameOrCode) ? (nameOrCode as KnownCode) : byName.get(nameOrCode)?.code;
}

/** The entry of a code. Throws for a code that no diagnostic has. */
export function entryOf(code: DiagnosticCode): NamedEntry {
  if (!Object.hasOwn(catalogue, code)) throw new RangeError(`no diagnostic has the code "${code}"`);
  return catalogue[code as KnownCode];
}
