import { catalogue, type DiagnosticName } from '../../src/index.ts';

/** Kinds of the corpus that have another name than ours, or several. */
const otherNames: Readonly<Record<string, readonly DiagnosticName[]>> = {
  'bad-assertion': ['one-key'],
  'template-syntax': ['sql-template'],
  'deprecated-reference': ['deprecated-reference', 'sunset-reference'],
};

/** Rules of the corpus with our names for them. */
const ruleNames: Readonly<Record<string, DiagnosticName>> = {
  'topics.min_partitions': 'rule-min-partitions',
  'topics.max_partitions': 'rule-max-partitions',
  'topics.min_replication_factor': 'rule-min-replication',
  'topics.required_config': 'rule-required-config',
  'topics.naming_pattern': 'rule-naming-pattern',
  'topics.forbidden_prefixes': 'rule-forbidden-prefix',
  'models.require_description': 'rule-require-description',
  'models.require_owner': 'rule-require-owner',
  'models.require_tests': 'rule-require-tests',
  'models.max_dependencies': 'rule-max-dependencies',
  'sources.require_schema': 'rule-require-schema',
  'sources.require_freshness': 'rule-require-freshness',
  'security.require_classification': 'rule-require-classification',
  'security.sensitive_columns_require_masking': 'rule-sensitive-requires-masking',
};

const entries = Object.entries(catalogue);
const withNumber = (start: string) =>
  entries.filter(([code]) => code.startsWith(start)).map(([, { name }]) => name);

/** The engine itself refuses a statement, so whatever we say of SQL, or of its columns, is as good. */
const engineRefuses: Readonly<Record<string, readonly string[]>> = {
  'sql-syntax': withNumber('LV12'),
  'sql-semantic': withNumber('LV41'),
};

/** Our names for what the corpus expects: those of the corpus, where we have no other. */
export function namesOf(expected: {
  readonly kind: string;
  readonly alt?: readonly string[];
  readonly rule?: string;
}): readonly string[] {
  const { kind, alt = [], rule } = expected;
  return [kind, ...alt].flatMap((one) => namesOfKind(one, rule));
}

function namesOfKind(kind: string, rule: string | undefined): readonly string[] {
  if (kind !== 'rule') return engineRefuses[kind] ?? otherNames[kind] ?? [kind];
  if (rule === undefined) return Object.values(ruleNames);
  const name = ruleNames[rule];
  return name === undefined ? [] : [name];
}
