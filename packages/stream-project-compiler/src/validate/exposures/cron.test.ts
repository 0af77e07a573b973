import { describe, expect, test } from 'vitest';
import { cronProblem } from './cron.ts';

describe('cronProblem', () => {
  test.each([
    '0 6 * * *',
    '*/15 9-17 * * MON-FRI',
    '0 0 1,15 * 3',
    '5/10 * * * 0,7',
    '0 0 29 2 *',
    '0 0 31 1,2 *',
    '0 0 12 ? * 6L',
    '0 0 12 LW * ?',
    '0 0 12 15W jan-mar ? 2030',
    '0 0 0 ? * 6#3',
    '0 0 31 2 1',
    '@daily',
  ])('%s comes some day', (expression) => {
    expect(cronProblem(expression)).toBeUndefined();
  });

  test.each([
    ['60 * * * *', '"60" is not a valid minute, expected 0 to 59', 0],
    ['0 24 * * *', '"24" is not a valid hour, expected 0 to 23', 2],
    ['0 0 0 * *', '"0" is not a valid day, expected 1 to 31', 4],
    ['0 0 * 13 *', '"13" is not a valid month, expected 1 to 12', 6],
    ['0 0 * MON *', '"MON" is not a valid month, expected 1 to 12', 6],
    ['0 0 * * 8', '"8" is not a valid day of the week, expected 0 to 7', 8],
    ['0 0 * * MO', '"MO" is not a valid day of the week, expected 0 to 7', 8],
    ['*/0 * * * *', 'the step of the minute is 0', 0],
    ['0 17-9 * * *', 'the range "17-9" of the hour goes backwards', 2],
    ['0 0 31 4,6 *', 'none of its months has a day 31', 4],
    ['0 0 30 FEB ?', 'none of its months has a day 30', 4],
    ['60 0 6 * * *', '"60" is not a valid second, expected 0 to 59', 0],
    ['0 0 6 * * ? 1066', '"1066" is not a valid year, expected 1970 to 2199', 12],
  ])('reports that %s never runs', (expression, message, start) => {
    expect(cronProblem(expression)).toMatchObject({ message, start });
  });
});
