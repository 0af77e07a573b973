import { describe, expect, it } from 'vitest';
import { configDef } from './config-def.ts';
import { atLeast } from './validators.ts';

const base = { importance: 'low', documentation: 'A key.', prefix: true } as const;
const def = configDef([
  { ...base, name: 'step.<n>.text', type: 'string', option: 'steps[].text', accepts: ['json'] },
  { ...base, name: 'step.<n>.wait.ms', type: 'long', option: 'steps[].waitMs', validator: atLeast(1) },
]);

describe('keys with a number', () => {
  it('are parsed to one map for each row, by their numbers', () => {
    const config = def.parse({ 'step.2.text': 'b', 'step.10.text': 'c', 'step.2.wait.ms': '5' });
    expect([...config['step.<n>.text']]).toEqual([
      ['2', 'b'],
      ['10', 'c'],
    ]);
    expect([...config['step.<n>.wait.ms']]).toEqual([['2', 5]]);
  });

  it.each([
    'step.0.text',
    'step.01.text',
    'step.1000.text',
    'step..text',
    'step.x.text',
    'step.1.texts',
    'step.1',
  ])('are not those with anything but a number from 1 to 999: %s', (name) => {
    expect(def.find(name)).toBeUndefined();
    expect(def.parse({ [name]: 'a' })['step.<n>.text'].size).toBe(0);
  });

  it('are validated each by its own name', () => {
    const values = def.validate({ 'step.1.wait.ms': '0' });
    expect(values).toEqual([
      expect.objectContaining({
        name: 'step.1.wait.ms',
        errors: ['Invalid value 0 for configuration step.1.wait.ms: Value must be at least 1'],
      }),
    ]);
  });

  it('are set by a list of objects in library use, counted from 1', () => {
    const raw = def.fromOptions({ steps: [{ text: 'a' }, { text: { op: 1 } as never, waitMs: 7 }, {}] });
    expect(raw).toEqual({ 'step.1.text': 'a', 'step.2.text': '{"op":1}', 'step.2.wait.ms': '7' });
    expect(def.fromOptions({ steps: undefined })).toEqual({});
  });

  it.each([
    [{ steps: { text: 'a' } }, 'steps must be a list of objects, got object'],
    [{ steps: ['a'] }, 'steps[0] must be an object, got string'],
    [{ steps: [{}, { waitMs: 'x' }] }, 'steps[1].waitMs must be a number, got string'],
    [{ steps: [{ text: 5 }] }, 'steps[0].text must be a string or an object, got number'],
  ])('are named as the user wrote the option when it is wrong: %j', (options, message) => {
    expect(() => def.fromOptions(options as never)).toThrow(message);
  });
});
