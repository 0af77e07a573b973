import { casesOf, type HostileCase, type HostileEntry } from './hostile-case.ts';
import { soundWith, withFile, withMistakeBeside } from './sound-project.ts';

const variable = (name: string) => `\${${name}}`;
const select = 'sql: "SELECT id FROM {{ source(\'orders\') }}"';

/** Variables in values. */
const values: readonly HostileCase[] = [
  ...casesOf(
    'variables',
    {
      'one that is not set': ['unresolved-variable', variable('LEVADA_NOT_SET')],
      'many that are not set': [
        'unresolved-variable',
        Array.from({ length: 500 }, (_, at) => variable(`NOT_SET_${at}`)).join(' '),
      ],
      'one after another': ['unresolved-variable', `${variable('HOME')}${variable('NOT_SET')}`],
      'one beside its own default': ['unresolved-variable', `${variable('NOT_SET')}\${NOT_SET:-x}`],
    },
    (text) => withFile(`models:\n  - {name: a, ${select}, description: '${text}'}\n`),
  ),
  ...casesOf(
    'variables, beside a mistake',
    {
      'without a name': ['unknown-key', '$' + '{}'],
      'with a hyphen in the name': ['unknown-key', variable('A-B')],
      escaped: ['unknown-key', `$${variable('A')}`],
      'not closed': ['unknown-key', '$' + '{A'],
      'a hundred thousand that are opened': ['unknown-key', `$${'{'.repeat(100_000)}`],
      'of a connector': ['unknown-key', variable('file:/etc/passwd:root')],
    },
    (text) =>
      withMistakeBeside({
        'models/hostile.yml': `models:\n  - {name: a, ${select}, description: '${text}'}\n`,
      }),
  ),
];

/** Values that would be YAML, SQL or a name of their own if they were not replaced after reading. */
const injected = (
  [
    ['that would be YAML', 'invalid-value', 'a\n    sql: SELECT 1 FROM x\n  - name: b'],
    ['that would be a comment', 'invalid-value', 'a # b'],
    ['that would be an alias', 'invalid-value', '*paid'],
    ['that would be a path', 'invalid-value', '../../etc/x'],
    ['that is empty', 'invalid-value', ''],
    ['that would be a variable', 'invalid-value', variable('PATH')],
    ['of a million letters', 'invalid-value', 'a'.repeat(1_000_000)],
    ['with NUL', 'invalid-value', 'a\u0001b'],
  ] as const
).map(
  ([name, finds, value]): HostileCase => ({
    name: `variables: a name ${name}`,
    finds: [finds],
    environment: value.length > 100_000 ? {} : { NAME: value },
    entries: () => ({
      ...withFile(`models:\n  - {name: "${variable('NAME')}", ${select}}\n`),
      ...(value.length > 100_000 ? { '.env': { text: `NAME=${value}\n`, mode: 0o600 } } : {}),
    }),
  }),
);

/** Files of variables that are refused. */
const refused = casesOf<HostileEntry>(
  '.env',
  {
    'a quote that does not end': ['env-quote', 'A="b\nC=d\n'],
    'a single quote that does not end': ['env-quote', "A='b\n"],
    'a backquote that does not end': ['env-quote', 'A=`b\n'],
    NUL: ['env-character', 'A=b\0c\n'],
    'a terminal sequence': ['env-character', 'A=\u001b[2J\n'],
    'invalid UTF-8': ['not-utf-8', Buffer.from('A=\xff\n', 'latin1')],
    'UTF-16': ['not-utf-8', Buffer.from('\uFEFFA=b\n', 'utf16le')],
    '2 MB': ['file-too-large', 'A=b\n'.repeat(500_000)],
    'one value of 5 MB': ['file-too-large', `A=${'b'.repeat(5e6)}\n`],
    'a folder': ['file-unreadable', { special: 'folder' }],
    'a pipe': ['file-unreadable', { special: 'pipe' }],
    'a link to outside': ['file-unreadable', { link: '/etc/hostname' }],
    'a link to itself': ['file-unreadable', { link: '.env' }],
    'a link to nothing': ['file-unreadable', { link: 'nothing' }],
  },
  (entry) => soundWith({ '.env': typeof entry === 'string' ? { text: entry, mode: 0o600 } : entry }),
);

/** Files of variables that are read, some with warnings: a mistake beside them is found all the same. */
const read = casesOf(
  '.env, beside a mistake',
  {
    'a mark of byte order, CRLF and no last line end': ['unknown-key', '\uFEFFA=1\r\nB=2'],
    nothing: ['unknown-key', ''],
    'lines that set nothing': ['unknown-key', 'JUSTTEXT\n=1\nA B=1\n1A=2\n\u00c4=1\n'],
    'a name twice': ['unknown-key', 'A=1\nA=2\n'],
    'quotes of all kinds': ['unknown-key', 'A="a\\n\\"b"\nB=\'$A\'\nC=`c`\nD="x\ny"\n'],
    'comments after values': ['unknown-key', 'A=1#c\nB=1 #c\nC="#"\n'],
    'what a shell would run': ['unknown-key', 'A=$(touch pwned)\nB=`touch pwned`\nC=$A\n'],
    'names that objects have': ['unknown-key', '__proto__=x\nconstructor=x\ntoString=x\n'],
    'settings of Node': ['unknown-key', 'NODE_OPTIONS=--require ./x.js\nLD_PRELOAD=./x.so\nPATH=\n'],
    '100,000 lines': ['unknown-key', Array.from({ length: 100_000 }, (_, at) => `A${at}=1`).join('\n')],
    'a hundred thousand lines that set nothing': ['unknown-key', 'x\n'.repeat(100_000)],
    'the same name 50,000 times': ['unknown-key', 'A=1\n'.repeat(50_000)],
  },
  (text) => withMistakeBeside({ '.env': { text, mode: 0o600 } }),
);

/** Cases of reliability 3.8, and of variables in 3.7. */
export const variableCases: readonly HostileCase[] = [...values, ...injected, ...refused, ...read];
