import { describe, expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

const shop = lines(
  'sources:',
  '  - {name: payments, topic: payments.v1}',
  'models:',
  '  - name: big',
  '    sql: SELECT id FROM {{ source("payments") }}',
  '  - name: stored',
  '    from: big',
  '    sink: {connector: http-sink, config: {a: b}}',
);

async function findings(...more: readonly string[]) {
  const text = lines(
    'exposures:',
    '  - name: e',
    '    type: application',
    ...more.map((line) => `    ${line}`),
  );
  return validateFiles({ 'models/shop.yml': shop, 'exposures/e.yml': text });
}

const consumes = 'consumes: [{ref: big}]';
const produces = 'produces: [{source: payments}]';

describe('the role of an exposure', () => {
  test.each([
    [consumes],
    [produces],
    ['role: consumer', consumes],
    ['role: producer', produces],
    ['role: both', consumes, produces],
  ])('accepts a role that fits the lists: %s', async (...more) => {
    expect((await findings(...more)).names).toEqual([]);
  });

  test.each([
    ['consumer', [produces], 'only writes — write "role: producer"'],
    ['consumer', [consumes, produces], 'also writes — write "role: both"'],
    ['producer', [consumes], 'only reads — write "role: consumer"'],
    ['producer', [consumes, produces], 'also reads — write "role: both"'],
    ['both', [consumes], 'has no "produces" — add it, or write "role: consumer"'],
    ['both', [produces], 'has no "consumes" — add it, or write "role: producer"'],
  ])('reports the role %s with %s', async (role, lists, says) => {
    const found = await findings(`role: ${role}`, ...lists);
    expect(found.names).toEqual(['exposure-role']);
    expect(found.text).toContain(`has the role "${role}", but ${says}`);
  });

  test('does not judge a role where an unknown key may be meant for a list', async () => {
    const found = await findings('role: consumer', 'depends_on: [{ref: big}]', 'consumer_group: g');
    expect(found.names).toEqual(['unknown-key']);
  });
});

describe('lists of an exposure', () => {
  test('name everything once', async () => {
    const found = await findings('consumes: [{ref: big}, {source: payments}, {ref: big}]');
    expect(found.names).toEqual(['repeated-entry']);
    expect(found.text).toContain(
      'exposures/e.yml:4:54  warning  LV3203  exposure "e": duplicate entry "big" in "consumes"',
    );
  });

  test('accepts a source and a model of one name, and the same in both lists', async () => {
    const found = await findings('consumes: [{ref: big}]', 'produces: [{ref: big}]');
    expect(found.names).toEqual([]);
  });
});

describe('limits of an exposure', () => {
  test.each([
    [consumes, 'sla: {max_lag_messages: 1, max_end_to_end_latency_ms: 5}'],
    [produces, 'sla: {max_produce_latency_ms: 5, max_end_to_end_latency_ms: 5}'],
    [consumes, 'sla: {availability: 99.99%}'],
    [consumes, 'sla: {availability: "100"}'],
    [consumes, 'sla: {}'],
  ])('accepts an exposure with %s, %s', async (...more) => {
    expect((await findings(...more)).names).toEqual([]);
  });

  test.each([
    [produces, 'sla: {max_lag_minutes: 1}', 'sla-without-effect'],
    [consumes, 'sla: {max_produce_latency_ms: 1}', 'sla-without-effect'],
    [consumes, 'sla: {availability: 101%}', 'unusual-value'],
    [consumes, 'sla: {availability: high}', 'unusual-value'],
  ])('reports an exposure with %s, %s', async (list, sla, name) => {
    expect((await findings(list, sla)).names).toEqual([name]);
  });
});

describe('a consumer group', () => {
  test.each([
    ['consumes: [{ref: big}]'],
    ['consumes: [{ref: stored}, {ref: big}]'],
    ['consumes: [{source: payments}]'],
  ])('reads a topic: %s', async (list) => {
    expect((await findings(list, 'consumer_group: g')).names).toEqual([]);
  });

  test('does not judge a consumer group where what is consumed is not defined', async () => {
    expect((await findings('consumes: [{ref: bigger}]', 'consumer_group: g')).names).toEqual([
      'unknown-model',
    ]);
  });

  test('reports that the consumer group of a producer has no effect', async () => {
    expect((await findings(produces, 'consumer_group: g')).names).toEqual(['consumer-group-without-topic']);
  });
});

describe('texts of an exposure', () => {
  test.each([
    ['url: https://git.example.com/org/checkout'],
    ['url: ssh://git@example.com/x.git'],
    ['schedule: 0 6 * * MON-FRI'],
    ['contracts: {compatibility: BACKWARD}'],
    ['contracts: {compatibility: agreed by mail}'],
  ])('accepts the text %s', async (text) => {
    expect((await findings(consumes, text)).names).toEqual([]);
  });

  test.each([
    ['url: git.example.com/org/checkout', 'write "https://git.example.com/org/checkout"'],
    ['url: the wiki', 'expected a URL with a scheme'],
    ['contracts: {compatibility: BACKWARDS}', 'did you mean "BACKWARD"?'],
  ])('warns about the unusual text %s', async (text, says) => {
    const found = await findings(consumes, text);
    expect(found.names).toEqual(['unusual-value']);
    expect(found.text).toContain(says);
  });

  test('does not print texts that come from variables', async () => {
    const found = await validateFiles(
      {
        'models/shop.yml': shop,
        'exposures/e.yml': lines(
          'exposures:',
          '  - name: e',
          '    type: application',
          `    ${consumes}`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
          '    schedule: ${MINUTE} * * * *',
        ),
      },
      { environment: { MINUTE: '61' } },
    );
    expect(found.names).toEqual(['schedule-never']);
    expect(found.text).not.toContain('61');
  });
});
