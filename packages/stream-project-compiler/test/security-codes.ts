// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of projects
import type { DiagnosticName } from '../src/index.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

/** A project that is careless with what it knows, and how people see it. */
export interface SecurityFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; lines of the file and carets included. */
  readonly shows: string;
}

const source = lines(
  'sources:',
  '  - name: orders_raw',
  '    topic: orders.v1',
  '    columns:',
  '      - {name: id, type: BIGINT, classification: internal}',
  '      - {name: card_number, type: STRING, classification: highly_sensitive}',
  '      - {name: vip, type: BOOLEAN, classification: internal}',
);

/** The source above, and a model that hands its columns on, with more keys. */
function modelWith(...more: readonly string[]): Readonly<Record<string, string>> {
  return {
    'sources/s.yml': source,
    'models/m.yml': lines(
      'models:',
      '  - name: orders_clean',
      '    sql: SELECT id, card_number, vip FROM {{ source("orders_raw") }}',
      ...more.map((line) => `    ${line}`),
    ),
  };
}

/** One for every code of 33xx. */
export const securityFixtures: Readonly<Partial<Record<DiagnosticName, SecurityFixture>>> = {
  'sensitive-column-unmasked': {
    files: {
      ...modelWith(),
      'models/sink.yml': lines(
        'models:',
        '  - name: orders_warehouse',
        '    from: orders_clean',
        '    sink: {connector: http-sink, config: {a: b}}',
      ),
    },
    shows: lines(
      'models/sink.yml:3:11  warning  LV3301  the highly_sensitive column "card_number" reaches sink "orders_warehouse" unmasked, path: orders_raw.card_number -> orders_clean.card_number -> orders_warehouse — add "mask: {column: card_number, method: hash}" to "security.policies" of model "orders_clean"',
      '  3 |     from: orders_clean',
      '    |           ^^^^^^^^^^^^',
      '  sources/s.yml:6:59  orders_raw.card_number is declared highly_sensitive here',
      '  6 |       - {name: card_number, type: STRING, classification: highly_sensitive}',
      '    |                                                           ^^^^^^^^^^^^^^^^',
      '  models/m.yml:3:21  orders_clean.card_number is derived from it',
    ),
  },
  'rule-sensitive-requires-masking': {
    files: {
      ...modelWith(),
      'stream_project.yml': projectWith(
        'rules:',
        '  security:',
        '    sensitive_columns_require_masking: true',
      ),
    },
    shows: lines(
      'models/m.yml:3:21  error  LV3302  column "card_number" of model "orders_clean" is highly_sensitive and not masked, but rule "security.sensitive_columns_require_masking" requires a mask, path: orders_raw.card_number -> orders_clean.card_number — add "mask: {column: card_number, method: hash}" to "security.policies"',
      '  3 |     sql: SELECT id, card_number, vip FROM {{ source("orders_raw") }}',
      '    |                     ^^^^^^^^^^^',
    ),
  },
  'rule-require-classification': {
    files: {
      'sources/s.yml': lines(
        'sources:',
        '  - name: orders_raw',
        '    topic: orders.v1',
        '    columns:',
        '      - {name: id, type: BIGINT}',
      ),
      'stream_project.yml': projectWith('rules:', '  security: {require_classification: true}'),
    },
    shows: lines(
      'sources/s.yml:5:16  error  LV3303  column "id" of source "orders_raw" has no classification, but rule "security.require_classification" requires one — add "classification"',
      '  5 |       - {name: id, type: BIGINT}',
      '    |                ^^',
      '  stream_project.yml:15:38  rule defined here',
    ),
  },
  'classification-lowered': {
    files: modelWith('security:', '  classification: {card_number: internal}'),
    shows: lines(
      'models/m.yml:5:37  warning  LV3304  model "orders_clean": column "card_number" is declared internal, but contains unchanged highly_sensitive data, path: orders_raw.card_number -> orders_clean.card_number — write highly_sensitive, or mask the column',
      '  5 |       classification: {card_number: internal}',
      '    |                                     ^^^^^^^^',
    ),
  },
  'classification-twice': {
    files: modelWith(
      'columns: [{name: id, classification: confidential}]',
      'security:',
      '  classification: {id: internal}',
    ),
    shows: lines(
      'models/m.yml:6:28  warning  LV3305  model "orders_clean": column "id" is classified internal here and confidential elsewhere; the higher one applies — remove one of them',
      '  6 |       classification: {id: internal}',
      '    |                            ^^^^^^^^',
      '  models/m.yml:4:42  confidential here',
    ),
  },
  'policy-not-enforced': {
    files: modelWith(
      'security:',
      '  policies:',
      '    - mask: {column: card_number, method: hash, for_roles: [analyst]}',
    ),
    shows: lines(
      'models/m.yml:6:64  warning  LV3310  the mask of column "card_number" is not enforced: masks for roles need a gateway, and "runtime.vendor.gateway" is not defined — remove "for_roles" to mask for all readers, or define the gateway',
      '  6 |         - mask: {column: card_number, method: hash, for_roles: [analyst]}',
      '    |                                                                ^^^^^^^^^',
    ),
  },
  'mask-type': {
    files: modelWith('security:', '  policies:', '    - mask: {column: vip, method: hash}'),
    shows: lines(
      'models/m.yml:6:39  warning  LV3311  mask "hash" of column "vip" does not hide BOOLEAN, which has only two values — write "method: redact" or "method: null"',
      '  6 |         - mask: {column: vip, method: hash}',
      '    |                                       ^^^^',
    ),
  },
  'mask-twice': {
    files: modelWith(
      'security:',
      '  policies:',
      '    - mask: {column: card_number, method: hash}',
      '    - mask: {column: card_number, method: redact}',
    ),
    shows: lines(
      'models/m.yml:7:26  warning  LV3312  duplicate mask of column "card_number"; the first one applies — remove one of them',
      '  7 |         - mask: {column: card_number, method: redact}',
      '    |                          ^^^^^^^^^^^',
      '  models/m.yml:6:26  first mask',
    ),
  },
  'mask-tokenize': {
    files: modelWith('security:', '  policies:', '    - mask: {column: card_number, method: tokenize}'),
    shows:
      'models/m.yml:6:47  warning  LV3313  mask "tokenize" of column "card_number" needs a function that the engine does not have — register such a function on the cluster, or write "method: hash"',
  },
  'mask-key': {
    files: modelWith(
      'key: card_number',
      'security:',
      '  policies:',
      '    - mask: {column: card_number, method: null}',
    ),
    shows: lines(
      'models/m.yml:7:47  warning  LV3314  mask "null" of column "card_number" maps different keys of model "orders_clean" to one value — write "method: hash", or choose another key',
      '  7 |         - mask: {column: card_number, method: null}',
      '    |                                               ^^^^',
    ),
  },
  'mask-connector': {
    files: {
      ...modelWith(),
      'models/sink.yml': lines(
        'models:',
        '  - name: orders_warehouse',
        '    from: orders_clean',
        '    sink: {connector: http-sink, config: {a: b}}',
        '    security:',
        '      policies:',
        '        - mask: {column: card_number, method: hash}',
      ),
    },
    shows:
      'models/sink.yml:7:47  error  LV3315  mask "hash" of column "card_number" cannot be applied by sink "orders_warehouse": transformations of connectors can only replace text with a fixed text or take a field out — move it to the model that the sink reads, or write "method: null", which takes the field out',
  },
  'mask-secret': {
    files: modelWith(
      'security:',
      '  policies:',
      '    - mask: {column: card_number, method: hash, secret: "${MASK_SECRET:-}"}',
    ),
    shows:
      'models/m.yml:6:61  error  LV4190  the secret of column "card_number" is empty, expected a variable such as "${MASK_SECRET}" — write "${MASK_SECRET}", and set it in the environment',
  },
  'mask-secret-unused': {
    files: modelWith(
      'security:',
      '  policies:',
      '    - mask: {column: card_number, method: redact, secret: "${MASK_SECRET:-}"}',
    ),
    shows:
      'models/m.yml:6:63  error  LV4191  the secret of column "card_number" has no effect in mask "redact" — write "method: hash", or remove "secret"',
  },
  'dead-letters-unmasked': {
    files: {
      ...modelWith(),
      'tests/t.yml': lines(
        'tests:',
        '  - name: cards',
        '    model: orders_clean',
        '    type: continuous',
        '    assertions: [{not_null: {columns: [id]}}]',
        '    on_failure: {actions: [{dlq: {topic: failed.v1}}]}',
      ),
    },
    shows: lines(
      'tests/t.yml:6:42  warning  LV4192  "dlq" of test "cards" copies the highly_sensitive column "card_number" in clear — mask the column in a model, and test that model, or protect the topic as the one under test',
      '  6 |     on_failure: {actions: [{dlq: {topic: failed.v1}}]}',
      '    |                                          ^^^^^^^^^',
    ),
  },
  'virtual-topic-policy': {
    files: {
      ...modelWith(),
      'stream_project.yml': projectWith(
        '  vendor:',
        '    gateway: {admin_url: "http://gw:8888", proxy_bootstrap: "gw:6969"}',
      ),
      'models/view.yml': lines(
        'models:',
        '  - name: view',
        '    from: orders_clean',
        '    advanced: {gateway: {virtual_topic: {name: view.v1}}}',
        '    security: {policies: [{allow: {roles: [billing]}}]}',
      ),
    },
    shows: lines(
      'models/view.yml:5:28  error  LV3360  model "view" is a virtual topic, which does not support the policy "allow" — move the policy to the model that the virtual topic reads, or remove "advanced.gateway"',
      '  5 |     security: {policies: [{allow: {roles: [billing]}}]}',
      '    |                            ^^^^^',
    ),
  },
};
