import type { Random } from './random.ts';
import { fieldNames } from './records.ts';

type Config = Readonly<Record<string, string>>;

const types = [
  'int8',
  'int16',
  'int32',
  'int64',
  'float32',
  'float64',
  'boolean',
  'string',
  'Boolean',
  'bytes',
  'money',
];
const names = [...fieldNames, 'absent'];

/** Date patterns. The last one is invalid. */
const datePatterns: readonly string[] = [
  'yyyy-MM-dd',
  'yyyy-MM-dd HH:mm:ss',
  'yyyyMMdd',
  'dd.MM.yy HH:mm',
  "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
  'EEE, d MMM yyyy HH:mm:ss Z',
  'EEEE MMMM D u',
  'hh:mm a',
  "K k 'o''clock' X z zzzz",
  'HH:mm',
  'hh:mm a',
  'H:m',
  'y-M-d',
  'yy-M-d',
  'yyyy-DDD',
  'MMM d yyyy',
  'MMMM d yy',
  'yyyyMMddHHmmssSSS',
  'yyMMddHHmm',
  'HHmmss',
  "yyyy-MM-dd'T'HH:mm:ssXXX",
  "yyyy-MM-dd'T'HH:mm:ss.SX",
  'E',
  'S s',
  'yyyy-MM-dd bb',
];

const some = (random: Random): string => random.some(names, 0.35).join(',');

const replaceNull = (random: Random): Config =>
  random.chance(0.3) ? { 'replace.null.with.default': String(random.chance(0.3)) } : {};

const optionally = (random: Random, key: string, value: string): Config =>
  random.chance(0.4) ? { [key]: value } : {};

/** Literals for headers. */
const literals = [
  '',
  'null',
  'true',
  'false',
  'text',
  ' blank ',
  '1',
  '-128',
  '128',
  '40000',
  '3000000000',
  '1.0',
  '1.5',
  '1e2',
  '1e40',
  '12345678901234567890',
  '2021-03-04',
  '05:06:07.123Z',
  '2021-03-04T05:06:07.123Z',
  '05\\:06\\:07.123Z',
  '[1,2,300]',
  '[1, 2.5]',
  '["a", "b"]',
  '[1,"a"]',
  '[]',
  '[1,,2]',
  '[1,2',
  '{"a":1,"b":2.5}',
  '{"a":1,"b":[1,2]}',
  '{1:"a", 2:null}',
  '{"a":}',
  '{}',
  '{a:b}',
  '[null,null]',
  '[true,false]',
  '["2021-03-04"]',
  'true}',
  '+7',
  '-',
  'a:b,c',
  '"quoted"',
  '1 2',
  '[{"a":[1]}]',
];

/** Generates a configuration of each class, by its simple name. */
export const configurations: Readonly<Record<string, (random: Random) => Config>> = {
  Cast: (random) => ({
    spec: random.chance(0.25)
      ? random.pick(types)
      : random
          .some(names, 0.4)
          .map(
            (name) => `${name}:${random.chance(0.97) ? random.pick(types.slice(0, 9)) : random.pick(types)}`,
          )
          .join(','),
    ...replaceNull(random),
  }),
  DropHeaders: (random) => ({ headers: random.some(['h1', 'h2', 'h3']).join(',') }),
  ExtractField: (random) => ({
    field: random.pick([...names, 'nested.a', '`d.e`', 'nested.`d.e`', 'nested.nested.a', '`open', 'a.']),
    ...optionally(random, 'field.syntax.version', random.pick(['V2', 'v2', 'V1', 'V2'])),
    ...replaceNull(random),
  }),
  Filter: () => ({}),
  Flatten: (random) => optionally(random, 'delimiter', random.pick(['_', '', '.'])),
  HeaderFrom: (random) => {
    const fields = random.some(names, 0.3);
    const headers = fields.map((_, index) => `header${index}`);
    return {
      fields: fields.join(','),
      headers: (random.chance(0.95) ? headers : ['one']).join(','),
      operation: random.pick(['move', 'copy', 'move', 'copy', 'drop']),
      ...replaceNull(random),
    };
  },
  HoistField: (random) => ({ field: random.pick(names) }),
  InsertField: (random) => ({
    ...optionally(random, 'topic.field', random.pick(['topic', 'topic!', 'topic?', 'a'])),
    ...optionally(random, 'partition.field', random.pick(['partition', 'partition!'])),
    ...(random.chance(0.05) ? { 'offset.field': 'offset' } : {}),
    ...optionally(random, 'timestamp.field', random.pick(['time', 'time!'])),
    ...optionally(random, 'static.field', random.pick(['fixed', 'fixed!'])),
    ...(random.chance(0.9) ? { 'static.value': 'text' } : {}),
    ...replaceNull(random),
  }),
  InsertHeader: (random) => ({ header: 'h3', 'value.literal': random.pick(literals) }),
  MaskField: (random) => ({
    fields: some(random),
    ...optionally(random, 'replacement', random.pick(['7', '300', '1.5', 'xxx', '-1e3', ''])),
    ...replaceNull(random),
  }),
  RegexRouter: (random) => {
    const [regex = '', replacement = ''] = random.pick([
      ['(.*)', 'all-$1'],
      ['prices-(eu|us)', '$1.prices'],
      ['(?<name>[a-z]+)-?.*', `\${name}`],
      ['(.*?)', '<$0>'],
      ['(o)(r)?d?(.*)', '$1$2$3$11'],
      ['(x)|(y)', '[$2]'],
      ['prices|prices-eu', 'short'],
      ['[a-z.]+', '\\$literal\\\\'],
      ['(a)', '$2'],
      ['(unclosed', '$1'],
    ]);
    return { regex, replacement };
  },
  ReplaceField: (random) => ({
    ...optionally(random, random.pick(['exclude', 'blacklist']), some(random)),
    ...optionally(random, random.pick(['include', 'whitelist']), some(random)),
    ...optionally(
      random,
      'renames',
      random.pick(['a:x', 'a:x,b:y', 'a:b', 'a:b,b:a', 'wrong', 'a:', 'a:b:c']),
    ),
    ...replaceNull(random),
  }),
  SetSchemaMetadata: (random) => ({
    ...optionally(random, 'schema.name', 'example.New'),
    ...optionally(random, 'schema.version', random.pick(['1', '7', 'x'])),
    ...replaceNull(random),
  }),
  TimestampConverter: (random) => ({
    ...(random.chance(0.7) ? { field: random.pick(names) } : {}),
    'target.type': random.pick(['string', 'unix', 'Date', 'Time', 'Timestamp', 'string', 'date']),
    ...(random.chance(0.9) ? { format: random.pick(datePatterns) } : {}),
    ...optionally(
      random,
      'unix.precision',
      random.pick(['seconds', 'milliseconds', 'microseconds', 'nanoseconds', 'days']),
    ),
    ...replaceNull(random),
  }),
  TimestampRouter: (random) => ({
    ...optionally(
      random,
      'topic.format',
      random.pick([`\${timestamp}`, `\${topic}_\${topic}`, `\${timestamp}-\${topic}`]),
    ),
    ...optionally(random, 'timestamp.format', random.pick(datePatterns)),
  }),
  ValueToKey: (random) => ({ fields: some(random), ...replaceNull(random) }),
  'predicates.HasHeaderKey': (random) => ({ name: random.pick(['h1', 'h2', 'h3', '']) }),
  'predicates.RecordIsTombstone': () => ({}),
  'predicates.TopicNameMatches': (random) => ({
    pattern: random.pick(['.*', 'prices-.*', 'a\\.b\\.c', '(?i)ORDERS', '[x-z]', '', '(']),
  }),
};
