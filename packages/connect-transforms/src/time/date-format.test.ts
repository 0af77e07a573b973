import { describe, expect, it } from 'vitest';
import { dateFormat, isoText } from './date-format.ts';

const date = new Date('2021-03-04T17:06:07.089Z');

describe('dateFormat', () => {
  it.each([
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2021-03-04T17:06:07.089Z'],
    ['yy.M.d', '21.3.4'],
    ['EEE, dd MMM yyyy HH:mm:ss Z', 'Thu, 04 Mar 2021 17:06:07 +0000'],
    ["EEEE, MMMM d 'o''clock' h a z", "Thursday, March 4 o'clock 5 PM UTC"],
    ['DDD u k K', '063 4 17 5'],
  ])('%s writes what Java does', (pattern, text) => {
    expect(dateFormat(pattern).format(date)).toBe(text);
  });

  it.each([
    ['yyyy-MM-dd', '2021-13-32', '2022-02-01T00:00:00.000Z'],
    ['yyyyMMddHHmm', '202103041706', '2021-03-04T17:06:00.000Z'],
    ['yyyy-MM-dd HH:mm X', '2021-03-04 17:06 +02', '2021-03-04T15:06:00.000Z'],
    ['EEE, dd MMM yyyy HH:mm:ss Z', 'Thu, 04 Mar 2021 17:06:07 +0130', '2021-03-04T15:36:07.000Z'],
    ['d MMMM yyyy h a', '4 march 2021 5 pm', '2021-03-04T17:00:00.000Z'],
    ['yyyy-MM-dd', '2021-03-04 and more', '2021-03-04T00:00:00.000Z'],
    ['yyyy-MM-dd', '0001-01-01', '0000-12-30T00:00:00.000Z'],
    ['yyyy-MM-dd', 'today', undefined],
    ['HH:mm', '17', undefined],
  ])('%s reads %j as Java does', (pattern, text, expected) => {
    expect(dateFormat(pattern).parse(text)?.toISOString()).toBe(expected);
  });

  it.each([
    ['yyyy-bb', "Illegal pattern character 'b'"],
    ["yyyy 'open", 'Unterminated quote'],
    ['YYYY-ww', "pattern character 'Y' is not supported, use one of y M L d D E u a H k K h m s S z Z X"],
    ['XXXX', 'invalid ISO 8601 format: length=4'],
  ])('the pattern %s is refused', (pattern, message) => {
    expect(() => dateFormat(pattern)).toThrowError(message);
  });

  it('days before 1582-10-15 are written in the Julian calendar, as in Java', () => {
    const format = dateFormat('yyyy-MM-dd DDD');
    expect(format.format(new Date('1582-10-15T00:00:00Z'))).toMatch(/^1582-10-15/);
    expect(format.format(new Date('1582-10-14T00:00:00Z'))).toMatch(/^1582-10-04/);
    expect(format.format(new Date('1500-03-10T00:00:00Z'))).toBe('1500-02-29 060');
  });
});

describe('isoText', () => {
  it('a date without a time, or a time without a date, is written without the missing part', () => {
    expect(isoText(new Date(1))).toBe('00:00:00.001Z');
    expect(isoText(new Date('2021-03-04T00:00:00Z'))).toBe('2021-03-04');
    expect(isoText(date)).toBe('2021-03-04T17:06:07.089Z');
  });
});
