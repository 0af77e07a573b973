import { describe, expect, it } from 'vitest';
import { ResetBudgets } from './reset-budgets.ts';

const spendAll = (budgets: ResetBudgets, address: string, now = 0): void => {
  while (budgets.spend(address, now)) {
    // until there is none left
  }
};

describe('ResetBudgets', () => {
  it('the budget grants a thousand at once, and 33 per second after that', () => {
    const budgets = new ResetBudgets();
    let granted = 0;
    while (budgets.spend('10.0.0.1', 0)) granted += 1;
    expect(granted).toBe(1000);
    for (; budgets.spend('10.0.0.1', 2000); ) granted += 1;
    expect(granted).toBe(1066);
  });

  it('the budget suspects an address that spent all for fifteen seconds, and no other one', () => {
    const budgets = new ResetBudgets();
    spendAll(budgets, '10.0.0.1');
    expect(budgets.isSuspect('10.0.0.1', 0)).toBe(true);
    expect(budgets.isSuspect('10.0.0.2', 0)).toBe(false);
    expect(budgets.isSuspect('10.0.0.1', 15_000)).toBe(true);
    expect(budgets.isSuspect('10.0.0.1', 15_500)).toBe(false);
  });

  it('the budget does not suspect an address that gives up few calls', () => {
    const budgets = new ResetBudgets();
    for (let count = 0; count < 999; count += 1) budgets.spend('10.0.0.1', 0);
    expect(budgets.isSuspect('10.0.0.1', 0)).toBe(false);
  });

  it('the budget forgets an address that was quiet for long enough', () => {
    const budgets = new ResetBudgets();
    spendAll(budgets, '10.0.0.1');
    budgets.sweep(1_000_000);
    expect(budgets.isSuspect('10.0.0.1', 0)).toBe(false);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9', true],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:3:3:4:5:6', false],
    ['::1', '::1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
  ])('the budget takes %s and %s for the same client: %s', (spender, other, same) => {
    const budgets = new ResetBudgets();
    spendAll(budgets, spender);
    expect(budgets.isSuspect(other, 0)).toBe(same);
  });

  it('the budget remembers ten thousand addresses at most', () => {
    const budgets = new ResetBudgets();
    spendAll(budgets, 'first');
    for (let index = 0; index < 10_000; index += 1) budgets.spend(`10.${index}`, 0);
    expect(budgets.isSuspect('first', 0)).toBe(false);
  });
});
