import { columnCodes } from '../columns/column-codes.ts';
import { inferCodes } from '../infer/infer-codes.ts';
import { resolveCodes } from '../resolve/resolve-codes.ts';
import { typeCodes } from '../types/type-codes.ts';
import { declarationCodes } from '../validate/declarations/declaration-codes.ts';
import { exposureCodes } from '../validate/exposures/exposure-codes.ts';
import { governanceCodes } from '../validate/governance/governance-codes.ts';
import { securityCodes } from '../validate/security/security-codes.ts';
import { structureCodes } from '../validate/structure/structure-codes.ts';
import { testCodes } from '../validate/tests/test-codes.ts';
import type { Severity } from './diagnostic.ts';
import { loadAndParseCodes } from './load-and-parse-codes.ts';

/** What a code means. */
export interface CatalogueEntry {
  /** The code in words, as stable as the number: `unknown-key`. Accepted wherever the number is. */
  readonly name: string;
  /** What was found, in a few words. */
  readonly title: string;
  /** Severity where no policy says otherwise. */
  readonly severity: Severity;
  /** A part of the project is missing afterwards, so no comment hides it and no policy lowers it. */
  readonly fixed?: true;
  /** One paragraph: what it means, why it matters, what to do. */
  readonly doc: string;
}

/**
 * Every code, by number. Numbers tell the origin: 1xxx load and parse (10xx files, 11xx YAML, 12xx SQL, 13xx fields), 2xxx
 * resolve, 3xxx validate (30xx governance, 31xx structure, 32xx tests and exposures, 33xx security), 4xxx infer (41xx columns and types), 5xxx generate, 6xxx plan, 9xxx the compiler itself. None is ever used for something else.
 */
export const catalogue = {
  ...loadAndParseCodes,
  ...resolveCodes,
  ...governanceCodes,
  ...structureCodes,
  ...testCodes,
  ...exposureCodes,
  ...declarationCodes,
  ...securityCodes,
  ...inferCodes,
  ...columnCodes,
  ...typeCodes,
} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;

/** The number of a kind of finding: `LV1301`. */
export type DiagnosticCode = keyof typeof catalogue;

/** A kind of finding in words: `unknown-key`. */
export type DiagnosticName = (typeof catalogue)[DiagnosticCode]['name'];

const codes = Object.keys(catalogue) as DiagnosticCode[];
const byName: ReadonlyMap<string, DiagnosticCode> = new Map(
  codes.map((code) => [catalogue[code].name, code]),
);

/** The code of a name, or of a code; undefined for anything else. */
export function findCode(nameOrCode: string): DiagnosticCode | undefined {
  return Object.hasOwn(catalogue, nameOrCode) ? (nameOrCode as DiagnosticCode) : byName.get(nameOrCode);
}

/** The code of a name. */
export function codeOf(name: DiagnosticName): DiagnosticCode {
  const code = byName.get(name);
  if (code === undefined) throw new Error(`no code is called "${name}"`);
  return code;
}

/** What a code means. */
export function entryOf(code: DiagnosticCode): CatalogueEntry {
  return catalogue[code];
}
