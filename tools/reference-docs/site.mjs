// Pages and files of the documentation site that are made of tables alone: REST, the command line, series, log events, JSON Schemas.
import { commandExamples, surroundings as commandSurroundings } from './command-examples.mjs';
import { restExamples, surroundings as restSurroundings } from './rest-examples.mjs';
import { code, prose, table } from './tables.mjs';

const note = 'Generated from the tables in the sources; run "pnpm run generate" to update it.';

/** `docs/` file to content. */
export function siteFiles({ openApi, program, series, eventTables, schemas, apiReports, packageNames }) {
  return {
    ...Object.fromEntries(packageNames.map(packageFile)),
    ...apiFiles(apiReports),
    'docs/reference/rest.md': restPage(openApi),
    'docs/reference/command-line.md': commandPage(program),
    'docs/reference/metrics.md': metricsPage(series),
    'docs/reference/log-events.md': eventsPage(eventTables),
    ...Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        `docs/public/schemas/${name}.schema.json`,
        `${JSON.stringify(schema, null, 2)}\n`,
      ]),
    ),
    'docs/public/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  };
}

function page(title, ...parts) {
  return `<!-- ${note} -->\n\n# ${title}\n\n${parts.join('\n\n')}\n`;
}

function restPage({ paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );
  const order = Object.keys(restExamples);
  const ids = operations.map(({ operationId }) => operationId);
  assertSame(order, ids, 'tools/reference-docs/rest-examples.mjs');
  operations.sort((one, other) => order.indexOf(one.operationId) - order.indexOf(other.operationId));
  const general = generalStatuses(operations);
  const tags = [...new Set(operations.flatMap((operation) => operation.tags ?? ['other']))];
  return page(
    'REST interface',
    'The same as [OpenAPI 3.1](/openapi.json){target="_self"}, which a worker answers at `/openapi.json`. Bodies and answers are JSON; errors have `error_code` and `message`. What differs from Kafka Connect is in [decision 18](../decisions/0018-rest-answers-that-differ.md).',
    restSurroundings,
    '## Statuses of all requests',
    `Any request may get these, with an [Error](#error) as body; 413 only those with a body, and 400 only those with a body or a name in the path. The tables below have what is different.`,
    table(
      ['Status', 'When'],
      [...general].map(([status, text]) => [status, prose(text)]),
    ),
    ...tags.flatMap((tag) => [
      `## ${tag[0].toUpperCase()}${tag.slice(1)}`,
      ...operations
        .filter((operation) => (operation.tags ?? ['other']).includes(tag))
        .map((operation) => operationText(operation, general)),
    ]),
    '## Schemas',
    ...Object.entries(components.schemas).map(
      ([name, schema]) =>
        `### ${name}\n\n${schema.description === undefined ? '' : `${prose(schema.description)}\n\n`}${schemaText(schema)}`,
    ),
  );
}

/** Texts of the refusals that do not depend on what is asked for: the usual text of each status that most operations have, or those with a body. */
function generalStatuses(operations) {
  const usual = new Map();
  for (const status of ['400', '401', '403', '406', '413', '415', '500', '503']) {
    const texts = operations.flatMap(({ responses }) => responses[status]?.description ?? []);
    const counts = Map.groupBy(texts, (text) => text);
    const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
    if (most !== undefined) usual.set(status, most[0]);
  }
  return usual;
}

function isGeneral(general, [status, { description, content }]) {
  const [{ schema } = {}] = Object.values(content ?? {});
  return general.get(status) === description && schema?.$ref?.endsWith('/Error') === true;
}

function operationText(operation, general) {
  const { operationId, path, method, summary, description, parameters = [], requestBody } = operation;
  const rows = parameters.map((parameter) => [
    code(parameter.name),
    parameter.in,
    typeText(parameter.schema ?? {}),
    prose(parameter.description ?? ''),
  ]);
  const body = requestBody?.content?.['application/json']?.schema;
  const answers = Object.entries(operation.responses)
    .filter((response) => !isGeneral(general, response))
    .map(([status, { description: text, content }]) => [
      status,
      [...new Set(Object.values(content ?? {}).map(({ schema }) => typeText(schema ?? {})))].join(', '),
      prose(text),
    ]);
  return [
    `### ${method} ${path.replaceAll('{', '\\{').replaceAll('}', '\\}')}`,
    prose(`${summary}.${description === undefined ? '' : ` ${description}`}`),
    ...(rows.length > 0 ? [table(['Parameter', 'In', 'Type', 'Meaning'], rows)] : []),
    ...(body === undefined ? [] : [`Body: ${typeText(body)}`]),
    exampleText(restExamples[operationId], 'console'),
    table(['Status', 'Answer', 'When'], answers),
  ].join('\n\n');
}

/** An example as a block, with what a test needs before it in a comment. */
function exampleText({ before, lines, notRun }, language) {
  return [
    ...(before === undefined
      ? []
      : [`<!-- What the example takes as given:\n\n\`\`\`sh\n${before}\n\`\`\`\n\n-->`]),
    ...(notRun === undefined ? [] : [`<!-- not run: ${notRun} -->`]),
    `\`\`\`${language}\n${lines}\n\`\`\``,
  ].join('\n\n');
}

function assertSame(given, wanted, file) {
  const missing = wanted.filter((name) => !given.includes(name));
  const strays = given.filter((name) => !wanted.includes(name));
  if (missing.length > 0 || strays.length > 0)
    throw new Error(`${file}: no example of ${missing.join(', ') || 'none'}; unknown: ${strays.join(', ')}`);
}

function schemaText(schema) {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return typeText(schema);
  const required = new Set(schema.required ?? []);
  return table(
    ['Member', 'Type', 'Required', 'Meaning'],
    properties.map(([name, member]) => [
      code(name),
      typeText(member),
      required.has(name) ? 'yes' : '',
      prose(member.description ?? ''),
    ]),
  );
}

function typeText({ $ref, type, items, enum: words, anyOf, oneOf, additionalProperties, const: only }) {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (only !== undefined) return code(JSON.stringify(only));
  if (words !== undefined) return words.map((word) => code(String(word))).join(', ');
  const parts = anyOf ?? oneOf;
  if (parts !== undefined) return parts.map(typeText).join(' or ');
  if (type === 'array') return `list of ${typeText(items ?? {})}`;
  if (typeof additionalProperties === 'object') return `map to ${typeText(additionalProperties)}`;
  if (Array.isArray(type)) return type.join(' or ');
  return type ?? 'any';
}

function commandPage(program) {
  const texts = commandTexts(program, []);
  const runnable = texts.filter(({ runs }) => runs).map(({ name }) => name);
  const order = Object.keys(commandExamples);
  assertSame(order, runnable, 'tools/reference-docs/command-examples.mjs');
  // A group of commands is where the first of it is; the tests run the examples in the order of the page.
  const placeOf = (name) => order.findIndex((one) => one === name || one.startsWith(`${name} `));
  return page(
    'Command line',
    'What `levada --help` says, of every command, with an example. Exit codes and JSON forms are in the [README](../packages/cli.md).',
    commandSurroundings,
    ...texts
      .toSorted(
        (one, other) =>
          placeOf(one.name) - placeOf(other.name) ||
          one.name.split(' ').length - other.name.split(' ').length,
      )
      .map(({ text }) => text),
    `## ${WORKER_OPTIONS}`,
    'For all commands that ask a worker.',
    optionTable(program, workerOptionsOf(program)),
  );
}

const WORKER_OPTIONS = 'Which worker';

function commandTexts(command, path) {
  const words = [...path, command.name()];
  const name = words.join(' ');
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const args = help
    .visibleArguments(command)
    .map((argument) => [code(help.argumentTerm(argument)), prose(help.argumentDescription(argument))]);
  const options = help.visibleOptions(command).filter(({ long }) => path.length === 0 || long !== '--help');
  // To a context they are what is written.
  const asks = options.some(isWorkerOption) && path.at(-1) !== 'context';
  const own = asks ? options.filter((option) => !isWorkerOption(option)) : options;
  const runs = below.length === 0;
  const text = [
    `## ${name}`,
    prose(command.description()),
    ...(runs ? [`\`\`\`text\n${name} ${command.usage()}\n\`\`\``] : []),
    ...(args.length > 0 ? [table(['Argument', 'Meaning'], args)] : []),
    ...(own.length > 0 ? [optionTable(command, own)] : []),
    ...(asks ? [`And those that say [which worker](#which-worker).`] : []),
    ...(runs && commandExamples[name] !== undefined ? [exampleText(commandExamples[name], 'sh')] : []),
  ].join('\n\n');
  return [{ name, runs, text }, ...below.flatMap((one) => commandTexts(one, words))];
}

function optionTable(command, options) {
  const help = command.createHelp();
  return table(
    ['Option', 'Meaning'],
    options.map((option) => [code(option.flags), prose(help.optionDescription(option))]),
  );
}

function isWorkerOption({ helpGroupHeading }) {
  return helpGroupHeading === `${WORKER_OPTIONS}:`;
}

/** The options of the first command that has them. */
function workerOptionsOf(command) {
  const own = command.options.filter(isWorkerOption);
  const ofContext = command.parent?.name() === 'context';
  if (own.length > 0 && !ofContext) return own;
  for (const one of command.commands) {
    const found = workerOptionsOf(one);
    if (found.length > 0) return found;
  }
  return [];
}

function metricsPage(series) {
  const rows = [...series].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const groups = {
    Connectors: (name) => /^connect_(?:source|connector|task)_/.test(name),
    'Kafka Connect': (name) => name.startsWith('kafka_'),
    Worker: (name) => !/^(?:connect_(?:source|connector|task)|kafka)_/.test(name),
  };
  return page(
    'Metrics',
    'Every series of `/metrics`, with the names of Kafka Connect in the form of Strimzi. Attributes of Jolokia and JMX are in the READMEs of the connectors and of the [worker](../packages/runtime-server.md#metrics-and-log-events); alerts are in [Troubleshooting](../guides/troubleshooting.md#alerts).',
    ...Object.entries(groups).flatMap(([title, isOf]) => [
      `## ${title}`,
      table(
        ['Series', 'Meaning'],
        rows.filter(([name]) => isOf(name)).map(([name, help]) => [code(name), prose(help)]),
      ),
    ]),
  );
}

function eventsPage(eventTables) {
  return page(
    'Log events',
    'The field `event` of a log line. Texts and further fields may change between releases; names and levels do not change without a major one.',
    ...Object.entries(eventTables).flatMap(([title, events]) => [`## ${title}`, events]),
  );
}

/** One page for each API report, and a list of them. The reports stay where reviews read them. */
function apiFiles(reports) {
  const entries = reports.map((file) => {
    const [name, ...rest] = file.replace(/\.api\.md$/, '').split('.');
    return {
      file,
      page: file.replace(/\.api\.md$/, '').replaceAll('.', '-'),
      title: ['@levada', name, ...rest].join('/'),
    };
  });
  const pages = entries.map(({ file, page: path, title }) => [
    `docs/reference/api/${path}.md`,
    `---\ntitle: "${title}"\nsearch: false\noutline: false\n---\n\n# ${title}\n\n<!--@include: ../../../api/${file}{5,}-->\n`,
  ]);
  const rows = entries.map(({ page: path, title }) => `- [\`${title}\`](./api/${path}.md)`);
  return {
    ...Object.fromEntries(pages),
    'docs/reference/typescript-api.md': page(
      'TypeScript API',
      'The declarations of every entry point, as reviews see them change. What each is for, with examples, is in the READMEs of the packages; editors show the comments of each declaration.',
      rows.join('\n'),
    ),
  };
}

/** The page of a package includes its README. */
function packageFile(name) {
  const include = `<!--@include: ../../packages/${name}/README.md-->`;
  return [`docs/packages/${name}.md`, `---\ntitle: "@levada/${name}"\n---\n\n${include}\n`];
}
