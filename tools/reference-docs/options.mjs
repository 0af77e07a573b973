// The options of a source in library use as documented TypeScript, from the rows of its configuration.
import { optionForms } from '../../packages/connect-runtime-core/dist/config/option-forms.js';
import { inOptions } from '../../packages/connect-runtime-core/dist/library/option-problems.js';

/** Of comments. */
const WIDTH = 120;
/** Of code, as the formatter has it. */
const CODE_WIDTH = 110;

/** What the members of an object have in common, for objects that are not an option by themselves. */
const groups = {
  auth: 'Who may send.',
  control:
    'Messages that are part of the protocol and no records, and what they are answered with; the first that matches counts.',
  closeCodes: 'What close codes of the server mean.',
  cors: 'Web pages that may send (cross-origin resource sharing).',
  handshake:
    'Messages sent one after another when the connection is open, before the subscription, each waiting for its reply.',
  heartbeat: 'A message that is sent at an interval.',
  json: 'What JSON looks like.',
  keepalive: 'Pings that notice a dead connection.',
  oauth2: 'Tokens by OAuth 2.0 client credentials, sent as authorization.',
  paths: 'Paths of the HTTP receiver.',
  ping: 'Pings that notice a dead connection.',
  proxy: 'The HTTP proxy to connect through.',
  renewal: 'How the session is renewed before it expires.',
  resume: 'Where a new stream resumes.',
  sequence: 'Numbers of messages, by which missing ones are noticed and asked for.',
  spool: 'What is kept on the disk of this machine.',
  subscription: 'What is sent after each opening of the connection, and what its answer looks like.',
  tls: 'Certificates, and what is checked of those of the server.',
  topics: 'Topics that records go to, by signal.',
};

const types = {
  boolean: 'boolean',
  string: 'string',
  int: 'number',
  short: 'number',
  long: 'number',
  double: 'number',
  list: 'readonly string[]',
  class: 'string',
  password: 'string',
};

/** The module with the interface `name`, and one interface for each object that groups options. */
export function optionsModule({ name, factory, keys }) {
  const rows = keys.filter(({ option }) => option !== undefined);
  const single = rows.filter(({ option }) => !option.includes('.'));
  const groupNames = [...new Set(rows.map(({ option }) => option).flatMap(groupOf))];
  const interfaces = groupNames.map((group) => {
    const members = rows.filter(({ option }) => option.startsWith(`${group}.`));
    const fields = members.map((row) => field({ row, keys, name: row.option.slice(group.length + 1) }));
    return `/** Members of ${isList(group) ? 'each object in the list' : 'the option'} \`${listName(group)}\` of {@link ${name}}. */\nexport interface ${groupType(name, group)} {\n${fields.join('\n')}\n}\n`;
  });
  const alone = groupNames.filter((group) => !single.some(({ option }) => option === group));
  const fields = [
    ...single.map((row) =>
      field({
        row,
        keys,
        name: row.option,
        more: groupNames.includes(row.option) ? groupType(name, row.option) : undefined,
      }),
    ),
    ...alone.map((group) => groupField(name, group)),
  ];
  return [
    '// Written by tools/reference-docs/generate.mjs from the rows of the configuration: do not change by hand.\n',
    ...interfaces,
    `/** Options of {@link ${factory}}, in addition to those of every source. Times are milliseconds. */\nexport interface ${name} {\n${fields.join('\n')}\n}\n`,
  ].join('\n');
}

function groupOf(option) {
  const [group, member] = option.split('.', 2);
  return member === undefined ? [] : [group];
}

function groupType(name, group) {
  const own = listName(group);
  return `${name.replace(/Options$/, '')}${own[0].toUpperCase()}${own.slice(1)}Options`;
}

function isList(group) {
  return group.endsWith('[]');
}

function listName(group) {
  return group.replace('[]', '');
}

function groupField(name, group) {
  const own = listName(group);
  if (groups[own] === undefined) throw new Error(`no documentation of the options under "${own}"`);
  const type = isList(group) ? `readonly ${groupType(name, group)}[]` : groupType(name, group);
  return `${comment([groups[own]])}\n  readonly ${own}?: ${type} | undefined;`;
}

function field({ row, keys, name, more }) {
  const optional = row.default !== undefined || row.prefix === true;
  const given = typesOf(row);
  const type = [
    ...given,
    ...asked(row, given),
    ...(more === undefined ? [] : [more]),
    ...(optional ? ['undefined'] : []),
  ];
  const property = `  readonly ${name}${optional ? '?' : ''}:`;
  const line = `${property} ${type.join(' | ')};`;
  const lines = [property, ...type.map((each) => `    | ${each}`)];
  return `${comment(documentation(row, keys, more))}\n${line.length > CODE_WIDTH ? `${lines.join('\n')};` : line}`;
}

function asked({ perConnection }, types) {
  const type = types.join(' | ');
  return perConnection === true ? [`(() => ${type} | Promise<${type}>)`] : [];
}

function typesOf({ type, prefix, validator, accepts = [], option }) {
  if (prefix === true && !option.includes('[]')) return ['Readonly<Record<string, string>>'];
  const words = validator?.values?.map((value) => `'${value}'`);
  const own =
    type === 'list' && words !== undefined ? [`readonly (${words.join(' | ')})[]`] : (words ?? [types[type]]);
  const others = accepts.map((form) => optionForms[form].type);
  // A list with numbers or URLs is one of strings, too.
  const kept = accepts.includes('numbers') || accepts.includes('files') ? [] : own;
  if (kept.length + others.length === 0) throw new Error(`option "${option}" has no type`);
  return [...new Set([...kept, ...others])];
}

function documentation(row, keys, more) {
  const { example, option } = row;
  if (example === undefined) throw new Error(`option "${option}" has no example`);
  const facts = [
    unit(row),
    range(row),
    row.perConnection ? 'A function is called before each connection.' : undefined,
    ...(more === undefined ? [] : ['An object means true, with its members.']),
  ];
  const value = defaultOf(row);
  const text = inOptions(keys, row.optionDocumentation ?? row.documentation).replaceAll(
    'the task',
    'the source',
  );
  // Some say themselves what holds without them.
  const usual = value === undefined && !text.includes('Default: ') ? ['Default: none.'] : [];
  return [
    text,
    facts.filter((fact) => fact !== undefined).join(' '),
    ...(row.default === undefined ? [] : value === undefined ? usual : [`@defaultValue \`${value}\``]),
    `@example\n\`\`\`ts\n${exampleOf(row, keys)}\n\`\`\``,
  ].filter((part) => part !== '');
}

/** The option as one writes it, beside the one without which it has no effect. */
function exampleOf(row, keys) {
  const members = new Map();
  for (const { option, example } of [...neededBy(row, keys), row]) {
    const [name, member] = option.split('.', 2);
    members.set(name, [...(members.get(name) ?? []), { member, example }]);
  }
  const texts = [...members].map(([name, values]) => {
    const [{ member, example }] = values;
    if (member === undefined) return `${listName(name)}: ${example}`;
    const object = `{ ${values.map((value) => `${value.member}: ${value.example}`).join(', ')} }`;
    return `${listName(name)}: ${isList(name) ? `[${object}]` : object}`;
  });
  return `{ ${texts.join(', ')} }`;
}

function neededBy({ needs }, keys) {
  const needed = keys.find(({ name }) => name === needs?.key);
  if (needed === undefined) return [];
  return [typeof needs.value === 'string' ? { ...needed, example: `'${needs.value}'` } : needed];
}

function unit({ name, type }) {
  if (name.endsWith('.ms')) return 'Milliseconds.';
  if (type !== 'int' && type !== 'long') return undefined;
  if (/\.bytes$|\.(?:message|request|compressed)\.size$/.test(name)) return 'Bytes.';
  if (name.endsWith('.queue.size')) return 'Messages.';
  return name.endsWith('.percent') ? 'Percent.' : undefined;
}

function range({ validator }) {
  if (validator === undefined || validator.values !== undefined) return undefined;
  const [, least, most] = /^\[(-?\d+),\.\.\.(?:,(\d+))?\]$/.exec(validator.allowed) ?? [];
  if (least === undefined) return allowed(validator.allowed);
  return most === undefined ? `At least ${least}.` : `From ${least} to ${most}.`;
}

/** What a configuration writes as a list with commas is a list of its own in options: `token,token` says what each is. */
function allowed(text) {
  const parts = text.split(/, ?/);
  const isList = parts.length > 1 && parts.every((part) => part === parts[0]);
  return isList ? `Each: ${parts[0]}.` : `Allowed: ${text}.`;
}

function defaultOf(row) {
  const value = row.libraryDefault ?? row.default;
  if (value === null || value === undefined) return undefined;
  if (row.type !== 'list') return typeof value === 'string' ? `'${value}'` : String(value);
  const items = (Array.isArray(value) ? value : value.split(',')).filter((item) => item !== '');
  return `[${items.map((item) => `'${item}'`).join(', ')}]`;
}

/** A documentation comment; paragraphs are apart, tags are not. */
function comment(parts) {
  const lines = parts.flatMap((part, index) => [
    ...(index === 0 || (part.startsWith('@') && parts[index - 1].startsWith('@')) ? [] : ['']),
    ...part.split('\n').flatMap(wrapped),
  ]);
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}

function wrapped(text) {
  // Comments end at these two characters, wherever they are.
  const words = text.replaceAll('*/', '*\\/').split(' ');
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== '' && line.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
