import fc from 'fast-check';

/** Text by path. */
export type Files = Readonly<Record<string, string>>;

/** What somebody does to a project between two looks at it. `at` chooses files, and lines in them. */
export type Edit =
  | { readonly kind: 'replace'; readonly at: number; readonly with: number }
  | { readonly kind: 'drop-line' | 'double-line'; readonly at: number; readonly line: number }
  | { readonly kind: 'remove' | 'rename' | 'copy'; readonly at: number };

/** Words that a definition holds, and others that they may become: names, types, columns, SQL, topics, settings. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/name: model_(\d)\d*\n/, 'name: model_renamed_$1\n'],
  [/name: source_/, 'name: other_source_'],
  [/topic: shop\.source/, 'topic: shop.other-source'],
  [/DECIMAL\(10, 2\)/, 'STRING'],
  [/type: BIGINT/, 'type: BIGNT'],
  [/status AS status|, status,/, ', status AS state,'],
  [/SELECT id/, 'SELECT'],
  [/SELECT id/, 'SELECT DISTINCT id'],
  [/FROM \{\{ ref\("model_\d+"\)/, 'FROM {{ ref("model_0")'],
  [/column: created_at/, 'column: note'],
  [/owner: \w+/, 'group: closed\n    access: private'],
  [/parallelism: 2/, 'paralelism: 2'],
  [/partitions: \d/, 'partitions: 1'],
  [/classification: internal/, 'classification: sensitive'],
  [/type: rest/, 'type: managed'],
  [/require_owner: true/, 'require_tests: true'],
  [/min_partitions: 2/, 'min_partitions: 5'],
  [/default: main/, 'default: gone'],
  [/model: model_\d+/, 'model: model_9999'],
  [/range: \{.*\}/, 'foreign_key: {column: id, ref_model: model_0, ref_key: id}'],
  [/range: \{.*\}/, 'unique_key: {key: id, window: 1 HOUR}'],
  [/range: \{.*\}/, `custom_sql: {sql: 'SELECT id, status FROM {{ ref("model_1") }}'}`],
  [/range: \{.*\}/, 'freshness: {column: created_at, max_age_minutes: 5}'],
  [
    /(owner: \w+\n)( +tags: \[daily)/,
    '$1    security: {classification: {amount: public, status: sensitive}}\n$2',
  ],
  [
    /(owner: \w+\n)( +tags: \[daily)/,
    '$1    security: {policies: [{mask: {column: amount, method: hash}}]}\n$2',
  ],
  [/(owner: \w+\n)( +tags: \[daily)/, '$1    deprecation: {v1: {sunset_date: 2024-01-01}}\n$2'],
  [/(owner: \w+\n)( +tags: \[daily)/, '$1    columns: [{name: amount}, {name: gone}]\n$2'],
  [/name: note, type: STRING/, 'name: note, type: TIMESTAMP_LTZ(3), proctime: true'],
  [/name: amount, type: .*?, class/, 'name: amount, class'],
  [/column: created_at\n +watermark: .*\n/, 'column: created_at\n'],
  [/http-sink/, 'bucket-sink'],
  [/classification: internal\}/, 'classification: highly_sensitive}'],
  [/classification: internal\}\n/, 'classification: internal}\n      # a line more\n'],
  [/(owner: \w+\n)( +tags: \[daily)/, '$1    # lines\n    # more\n$2'],
  [
    /(owner: \w+\n)( +tags: \[daily)/,
    '$1    security: {policies: [{mask: {column: status, method: redact, for_roles: [analyst]}}]}\n$2',
  ],
  [/(owner: \w+\n)( +tags: \[daily)/, '$1    security: {policies: [{masc: {column: gone}}]}\n$2'],
  [/(owner: \w+\n)( +tags: \[daily)/, '$1    access: public\n$2'],
  [/(owner: \w+\n)( +tags: \[daily)/, '$1    key: id\n    from: [{source: source_1}]\n$2'],
  [/state_ttl_ms: \d+/, 'state_ttl_ms: 5'],
  [/engine: \{parallelism/, 'engine_cluster: other\n      engine: {parallelism'],
  [/engine: \{parallelism/, 'engine: {ends_job: true, parallelism'],
  [/engine: \{parallelism: 2/, 'engine: {delivery: exactly_once, start: latest, parallelism: 5'],
  [/bootstrap_servers: .*/, 'bootstrap_servers: other:9092'],
  [/name: shop\.model-(\d)\d*\.v1/, 'name: shop.model_$1.v1'],
  [/name: shop\.model-\d+\.v1/, 'name: tmp.Model'],
  [/name: shop\.model-\d+\.v1/, 'name: shop.source-0.v1'],
  [/config: \{retention\.ms: \d+, /, 'config: {'],
  [/sink: \{?/, 'sunk: {'],
  [/description: What.*\n/, 'description: ""\n'],
  [/partitions: 3\n {4}replication_factor: 1/, 'partitions: 1\n    replication_factor: 3'],
  [/defaults:\n/, 'defaults:\n  models: {cluster: gone, owner: unknown}\n'],
  [
    / {4}default: main\n {4}clusters:\n {6}main:\n {8}rest_url/,
    '    clusters:\n      main:\n        rest_url',
  ],
  [/ {2}connect:\n(?: {4}.*\n)+/, ''],
  [/ {2}engine:\n(?: {4}.*\n)+/, ''],
  [/naming_pattern: .*/, 'naming_pattern: "^[a-z"'],
  [/naming_pattern: .*/, 'naming_pattern: shop'],
  [/required_config: \[retention\.ms\]/, 'required_config: [retention.ms, min.insync.replicas]'],
  [/max_dependencies: 10/, 'max_dependencies: 1'],
  [/require_classification: true/, 'require_classification: false'],
  [/sensitive_columns_require_masking: true/, 'sensitive_columns_require_masking: false'],
  [/min_partitions: 2/, 'min_partitions: 99'],
];

const projectFile = 'stream_project.yml';

const at = fc.nat({ max: 1000 });

/** Any edit. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('replace' as const), at, with: at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('drop-line' as const, 'double-line' as const),
      at,
      line: at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'rename' as const, 'copy' as const),
      at,
    }),
  },
);

/** The files after an edit, and the paths that it touched. */
export function applyEdit(
  files: Files,
  edit: Edit,
): { readonly files: Files; readonly changed: readonly string[] } {
  const paths = Object.keys(files);
  // What a word of the project file changes may concern every definition
  const isOfProject = edit.kind === 'replace' && edit.at % 4 === 0 && files[projectFile] !== undefined;
  const path = isOfProject ? projectFile : paths[edit.at % paths.length];
  if (path === undefined) return { files, changed: [] };
  const text = files[path] ?? '';
  const { [path]: _, ...others } = files;
  switch (edit.kind) {
    case 'replace': {
      const fitting = replacements.filter(([word]) => word.test(text));
      const [from, to] = fitting[edit.with % fitting.length] ?? [/^/, ''];
      return { files: { ...files, [path]: text.replace(from, to) }, changed: [path] };
    }
    case 'drop-line':
    case 'double-line': {
      const lines = text.split('\n');
      const place = edit.line % lines.length;
      const kept = edit.kind === 'drop-line' ? [] : [lines[place] ?? '', lines[place] ?? ''];
      return { files: { ...files, [path]: lines.toSpliced(place, 1, ...kept).join('\n') }, changed: [path] };
    }
    case 'remove':
      return { files: others, changed: [path] };
    case 'rename': {
      const renamed = path.replace(/\.yml$/, `_${edit.at}.yml`);
      return { files: { ...others, [renamed]: text }, changed: [path, renamed] };
    }
    case 'copy': {
      const copy = path.replace(/[^/]*$/, `copy_${edit.at}.yml`);
      return { files: { ...files, [copy]: text }, changed: [copy] };
    }
  }
}
