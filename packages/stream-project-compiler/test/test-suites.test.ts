import { describe, expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

const shop = lines(
  'sources:',
  '  - {name: payments, topic: payments.v1}',
  '  - {name: failed, topic: failed.v1}',
  'models:',
  '  - name: big',
  '    sql: SELECT id FROM {{ source("payments") }}',
  '    advanced: {topic: {name: big.v1}}',
  '  - name: parked',
  '    advanced: {topic: {name: parked.v1}}',
  '  - name: stored',
  '    from: big',
  '    sink: {connector: http-sink, config: {a: b}}',
);

async function findings(target: string, type: string, ...more: readonly string[]) {
  return validateFiles({
    'models/shop.yml': shop,
    'tests/t.yml': lines(
      'tests:',
      '  - name: t',
      `    model: ${target}`,
      `    type: ${type}`,
      '    assertions: [{not_null: {columns: [id]}}]',
      ...more.map((line) => `    ${line}`),
    ),
  });
}

function deadLetters(topic: string): string {
  return `on_failure: {actions: [{dlq: {topic: ${topic}}}]}`;
}

describe('records that fail a test', () => {
  test.each(['failed.v1', 'parked.v1', 'anything.else'])(
    'accepts the topic %s for records that fail a test',
    async (topic) => {
      expect((await findings('big', 'continuous', deadLetters(topic))).names).toEqual([]);
    },
  );

  test.each([
    ['big', 'big.v1', 'dead-letter-loop'],
    ['big', 'payments.v1', 'dead-letter-loop'],
    ['payments', 'payments.v1', 'dead-letter-loop'],
    ['payments', 'big.v1', 'dead-letter-topic-shared'],
  ])('reports failing records of %s that are written to %s', async (target, topic, name) => {
    expect((await findings(target, 'continuous', deadLetters(topic))).names).toEqual([name]);
  });

  test('say nothing about a topic that comes from a variable but its name', async () => {
    const found = await validateFiles(
      {
        'models/shop.yml': shop,
        'tests/t.yml': lines(
          'tests:',
          '  - name: t',
          '    model: big',
          '    type: continuous',
          '    assertions: [{not_null: {columns: [id]}}]',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
          `    ${deadLetters('"${TOPIC}"')}`,
        ),
      },
      { environment: { TOPIC: 'big.v1' } },
    );
    expect(found.names).toEqual(['dead-letter-loop']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
    expect(found.text).toContain('to topic "${TOPIC}", which is the topic under test');
    expect(found.text).not.toContain('big.v1');
  });
});

describe('a test', () => {
  test.each([
    ['sample', 'sample_size: 10'],
    ['continuous', 'description: x'],
    ['schema', 'description: x'],
  ])('accepts a test of type %s with %s', async (type, more) => {
    expect((await findings('big', type, more)).names).toEqual([]);
  });

  test('reports a sample in a continuous test', async () => {
    expect((await findings('big', 'continuous', 'sample_size: 10')).names).toEqual(['sample-size-ignored']);
  });

  test('reports a test of a sink, which has nothing to read', async () => {
    expect((await findings('stored', 'sample')).names).toEqual(['test-of-sink']);
  });
});
