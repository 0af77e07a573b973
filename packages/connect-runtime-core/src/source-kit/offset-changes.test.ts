import { describe, expect, it } from 'vitest';
import { checkOffsetChanges } from './offset-changes.ts';

const alter = checkOffsetChanges({
  partition: ['server', 'method'],
  partitionText: '{"server": text, "method": text}',
  isOffset: (offset) => typeof offset['sequence'] === 'number',
  offsetText: '{"sequence": integer}',
});
const partition = { method: 'm', server: 's' };

describe('checkOffsetChanges', () => {
  it('accepts offsets that a task could continue from, and resets', () => {
    expect(
      alter({}, [
        { partition, offset: { sequence: 1 } },
        { partition, offset: null },
      ]),
    ).toBe(true);
  });

  it.each([
    [
      'a partition with other names',
      { partition: { server: 's' }, offset: null },
      'invalid source partition: expected {"server": text, "method": text}',
    ],
    [
      'no partition',
      { partition: null, offset: null },
      'invalid source partition: expected {"server": text, "method": text}',
    ],
    [
      'another offset',
      { partition, offset: { position: 1 } },
      'invalid offset: expected {"sequence": integer}',
    ],
  ])('refuses %s with what it must be', (_, change, message) => {
    expect(() => alter({}, [change])).toThrow(expect.objectContaining({ code: 'config_invalid', message }));
  });
});
