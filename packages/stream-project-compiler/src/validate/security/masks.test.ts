import { describe, expect, test } from 'vitest';
import { lines, projectWith, validateFiles } from '../../../test/validate-support/validate-files.ts';

const source = lines(
  'sources:',
  '  - name: raw',
  '    topic: raw.v1',
  '    columns:',
  '      - {name: t, type: STRING}',
  '      - {name: i, type: INT}',
  '      - {name: b, type: BOOLEAN}',
  '      - {name: l, type: ARRAY<STRING>}',
  '      - {name: ts, type: TIMESTAMP(3)}',
  '    event_time: {column: ts}',
);

const gateway = projectWith(
  '  vendor:',
  '    gateway: {admin_url: http://localhost:8888, proxy_bootstrap: localhost:6969}',
);

/** Names of the findings about policies of a model, in order. */
async function findings(
  policies: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const files = {
    'sources/s.yml': source,
    'models/m.yml': lines(
      'models:',
      '  - name: m',
      '    key: t',
      '    sql: SELECT t, i, b, l, ts, CHAR_LENGTH(t) AS n FROM {{ source("raw") }}',
      '    security:',
      '      policies:',
      ...policies.map((policy) => `        - ${policy}`),
    ),
    ...more,
  };
  const { diagnostics, names } = await validateFiles(files);
  return names.filter((_name, index) => diagnostics[index]?.code.startsWith('LV33'));
}

describe('a mask', () => {
  test.each([
    ['{column: t, method: hash}', []],
    ['{column: t, method: "null"}', ['mask-key']],
    ['{column: t, method: redact}', ['mask-key']],
    ['{column: t, method: partial}', ['mask-key']],
    ['{column: t, method: tokenize}', ['mask-tokenize']],
    ['{column: i, method: hash}', []],
    ['{column: i, method: null}', []],
    ['{column: b, method: partial}', ['mask-type']],
    ['{column: b, method: redact}', []],
    ['{column: l, method: hash}', ['mask-type']],
    ['{column: l, method: null}', []],
    ['{column: ts, method: redact}', ['mask-type']],
    ['{column: n, method: hash}', []],
    ['{column: gone, method: tokenize}', []],
    ['{column: t, method: hash, for_roles: [a]}', ['policy-not-enforced']],
  ])('%s: %j', async (mask, names) => {
    expect(await findings([`mask: ${mask}`])).toEqual(names);
  });

  test('accepts a tokenizing mask for roles when there is a gateway', async () => {
    const mask = 'mask: {column: t, method: tokenize, for_roles: [a]}';
    expect(await findings([mask], { 'stream_project.yml': gateway })).toEqual([]);
  });

  test('reports a mask in a model without SQL', async () => {
    const model = lines(
      'models:',
      '  - name: plain',
      '    advanced: {topic: {name: plain.v1}}',
      '    security: {policies: [{mask: {column: t, method: hash}}]}',
    );
    expect(await findings([], { 'models/m.yml': model })).toEqual(['policy-not-enforced']);
  });

  test.each([
    ['hash', ['mask-connector']],
    ['redact', []],
    ['null', []],
    ['hash, for_roles: [a]', ['policy-not-enforced']],
  ])('%s of a sink: %j', async (mask, names) => {
    const sink = lines(
      'models:',
      '  - name: out',
      '    from: raw',
      '    sink: {connector: jdbc-sink, config: {a: b}}',
      `    security: {policies: [{mask: {column: t, method: ${mask}}}]}`,
    );
    const project = { 'models/m.yml': sink, 'stream_project.yml': gateway };
    expect(await findings([], project)).toEqual(names);
  });
});

describe('two masks of one column', () => {
  test.each([
    ['for everybody', '', '', ['mask-twice']],
    ['for one role', ', for_roles: [a, b]', ', for_roles: [b]', ['mask-twice']],
    ['for a role after everybody', '', ', for_roles: [b]', ['mask-twice']],
    ['for different roles', ', for_roles: [a]', ', for_roles: [b]', []],
    ['for the others', ', for_roles: [a]', '', []],
  ])('judges two masks of one column by their roles: %s', async (_whom, first, second, names) => {
    const masks = [first, second].map((roles) => `mask: {column: t, method: hash${roles}}`);
    expect(await findings(masks, { 'stream_project.yml': gateway })).toEqual(names);
  });
});

describe('a policy other than a mask', () => {
  test('reports a policy other than a mask without a gateway', async () => {
    expect(await findings(['allow: {roles: [a]}'])).toEqual(['policy-not-enforced']);
  });

  test('accepts a policy other than a mask when there is a gateway', async () => {
    expect(await findings(['deny: {roles: [a]}'], { 'stream_project.yml': gateway })).toEqual([]);
  });

  test('does not judge a misspelt mask as another policy', async () => {
    expect(await findings(['maks: {column: t, method: hash}'])).toEqual([]);
  });
});
