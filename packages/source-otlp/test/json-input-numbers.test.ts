import { describe, expect, it } from 'vitest';
import { InvalidExport } from '../src/export/check-export.ts';
import type { SignalName } from '../src/model/signals.ts';
import {
  attribute,
  bodyOfSpan,
  jsonToExport,
  readAnyValue,
  readBack,
  readSpan,
} from './json-input-reader.ts';

const spans = (members: string) => (): unknown => jsonToExport('traces', Buffer.from(bodyOfSpan(members)));
const _body =
  (bytes: string | Uint8Array, signal: SignalName = 'traces') =>
  (): unknown =>
    jsonToExport(signal, Buffer.from(bytes));
const _TRACE = '5B8EFFF798038103D269B633813FC60C';
const _SPAN = 'eee19b7ec3c1b174';

describe('integers', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['"-0"', '0'],
    ['1', '1'],
    ['"1"', '1'],
    ['"\\u0031"', '1'],
    ['"1\\u0032"', '12'],
    ['999999999', '999999999'],
    ['1000000000', '1000000000'],
    ['-4294967296', '-4294967296'],
    ['4294967295', '4294967295'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['"-9223372036854775808"', '-9223372036854775808'],
    ['1e3', '1000'],
    ['"1E+3"', '1000'],
    ['5.0', '5'],
    ['-1.50e1', '-15'],
    ['9223372036854775.807e3', '9223372036854775807'],
    ['0.00e5', '0'],
    ['0e999999999999999999999', '0'],
    ['1000000000000000000000000e-24', '1'],
    ['-9.223372036854775808e18', '-9223372036854775808'],
    [`1${'0'.repeat(400)}e-400`, '1'],
  ])('the reader reads intValue %s as %s', (json, value) => {
    expect(readAnyValue(`{"intValue":${json}}`)).toBe(`{"intValue":"${value}"}`);
  });

  it.each([
    '9223372036854776000',
    '-9223372036854776000',
    '1e+21',
    '-1e+21',
    '1.2345678901234568e+29',
    '1.7976931348623157e+308',
  ])('the reader reads intValue %s, a double of JavaScript, as one', (json) => {
    expect(readAnyValue(`{"intValue":${json}}`)).toBe(`{"doubleValue":${json}}`);
  });

  it.each([
    '9223372036854775808',
    '"9223372036854775808"',
    '-9223372036854775809',
    '"-9223372036854775809"',
    '18446744073709551616',
    '"18446744073709551616"',
    '"9223372036854776000"',
    '"1e+21"',
    '1e21',
    '-1E+21',
    '"1e400"',
    '1e400',
    '123456789012345678901234567890',
    '1000000000000000000000.0',
  ])('the reader refuses intValue %s, which a double would round', (json) => {
    const place =
      /^Invalid OTLP\/JSON at byte \d+ \("\/resourceSpans\/.*\/intValue"\): integer beyond the range of the field$/;
    expect(spans(attribute(`{"intValue":${json}}`))).toThrow(place);
  });

  it('the reader reads asInt beyond 64 bits as asDouble', () => {
    const point = (value: string): string =>
      `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":{"dataPoints":[{"timeUnixNano":"1",${value}}]}}]}]}]}`;
    expect(readBack('metrics', point('"asInt":1e+21'))).toEqual(JSON.parse(point('"asDouble":1e+21')));
  });

  it.each([
    '1.5',
    '"1.5"',
    '1e-1',
    '0.1',
    '"',
    '""',
    '" 1"',
    '"1 "',
    '"0x1"',
    '"1n"',
    '01',
    '"01"',
    '1e',
    '--1',
    '"+1"',
    'true',
    '{}',
    '[]',
    '12a',
    '"a"',
    '"NaN"',
    '1e400',
    '-1e400',
    '123456789012345678901234567890.5',
    '1e99999999999999999999',
  ])('the reader refuses intValue %s', (json) =>
    expect(spans(attribute(`{"intValue":${json}}`))).toThrow(InvalidExport),
  );

  it.each([
    ['startTimeUnixNano', '18446744073709551615', '18446744073709551615'],
    ['startTimeUnixNano', '"1544712660300000000"', '1544712660300000000'],
    ['startTimeUnixNano', '1.5447126603e18', '1544712660300000000'],
    ['droppedEventsCount', '4294967295', 4294967295],
    ['droppedEventsCount', '"7"', 7],
    ['flags', '4.294967295e9', 4294967295],
    ['kind', '3', 3],
    ['kind', '-1', -1],
    ['kind', '77', 77],
    ['kind', '2147483647', 2147483647],
    ['kind', '"SPAN_KIND_CLIENT"', 3],
    ['kind', '"SPAN_\\u004bIND_CLIENT"', 3],
  ])('the reader reads %s %s', (member, json, value) => {
    expect(readSpan(`"${member}":${json}`)).toEqual({ [member]: value });
  });

  it.each([
    ['startTimeUnixNano', '18446744073709551616'],
    ['startTimeUnixNano', '-1'],
    ['startTimeUnixNano', '1e400'],
    ['startTimeUnixNano', '1.5'],
    ['droppedEventsCount', '4294967296'],
    ['droppedEventsCount', '-1'],
    ['flags', '"4294967296"'],
    ['kind', '2147483648'],
    ['kind', '-2147483649'],
    ['kind', '2.5'],
    ['kind', '"SPAN_KIND_NONE"'],
    ['kind', '"CLIENT"'],
    ['kind', '"toString"'],
    ['kind', '""'],
    ['kind', 'true'],
  ])('the reader refuses %s %s and names the field', (member, json) => {
    expect(spans(`"${member}":${json}`)).toThrow(`("/resourceSpans/0/scopeSpans/0/spans/0/${member}")`);
  });

  it('the reader reads integers of all sizes in lists', () => {
    const samples = `{"values":["-9223372036854775808",-1,0,1e2],"attributeIndices":[-2147483648,"2147483647"],"timestampsUnixNano":[1,"2"]}`;
    const json = `{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[${samples}]}]}]}]}`;
    expect(readBack('profiles', json)).toEqual({
      resourceProfiles: [
        {
          scopeProfiles: [
            {
              profiles: [
                {
                  samples: [
                    {
                      values: ['-9223372036854775808', '-1', '0', '100'],
                      attributeIndices: [-2147483648, 2147483647],
                      timestampsUnixNano: ['1', '2'],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('the reader reads scale and offset of exponential histograms, which are zigzag', () => {
    for (const n of [0, 1, -1, 63, -64, 2147483647, -2147483648]) {
      const point = JSON.stringify({ scale: n, positive: { offset: n } });
      const json = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"exponentialHistogram":{"dataPoints":[${point}]}}]}]}]}`;
      const read = JSON.parse(n === 0 ? json.replaceAll(/"scale":0,|"offset":0/g, '') : json);
      expect(readBack('metrics', json)).toEqual(read);
    }
  });
});

describe('doubles', () => {
  it.each([
    ['0', '0'],
    ['-0', '-0'],
    ['-0.0e5', '-0'],
    ['"-0"', '-0'],
    ['1', '1'],
    ['"1.5"', '1.5'],
    ['"\\u0031.5"', '1.5'],
    ['"NaN"', '"NaN"'],
    ['"\\u004eaN"', '"NaN"'],
    ['"Infinity"', '"Infinity"'],
    ['"-Infinity"', '"-Infinity"'],
    ['1e22', '1e+22'],
    ['1e23', '1e+23'],
    ['123456789012345678', '123456789012345680'],
    ['9007199254740993', '9007199254740992'],
    ['9007199254740992.5', '9007199254740992'],
    ['0.1', '0.1'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['5e-324', '5e-324'],
    ['1e-400', '0'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['0.00000000000000000000000000001', '1e-29'],
    ['2.2250738585072011e-308', '2.225073858507201e-308'],
  ])('the reader reads %s as %s', (json, value) => {
    expect(readAnyValue(`{"doubleValue":${json}}`)).toBe(`{"doubleValue":${value}}`);
  });

  it.each([
    '1e400',
    '-1e400',
    '"1e400"',
    '""',
    '"nan"',
    '"+Infinity"',
    '"Infinity "',
    'NaN',
    'Infinity',
    '-Infinity',
    '1.',
    '.5',
    '01',
    '-',
    '1e',
    '"1',
    '"1x"',
    '"0x1"',
    'true',
    '{}',
    '[1]',
    '"NaN',
    '1.5.5',
    '1..5',
  ])('the reader refuses %s', (json) =>
    expect(spans(attribute(`{"doubleValue":${json}}`))).toThrow(InvalidExport),
  );
});
