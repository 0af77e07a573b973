import { beforeAll, describe, expect, it } from 'vitest';

it('passes', () => {
  expect(1).toBe(1);
});

describe('a suite whose hook fails', () => {
  beforeAll(() => {
    throw new Error('the hook failed');
  });
  it('does not run', () => {
    expect(1).toBe(1);
  });
});
