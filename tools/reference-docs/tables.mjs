// Tables of definitions as Markdown: what READMEs show of keys, attributes and log events.

/**
 * Rows of a configuration definition: those without a default first, then a table for each group, in the order of its first row.
 * Definitions without groups are one table.
 */
export function configTables(keys, groupOf = ({ group }) => group) {
  if (keys.every((key) => groupOf(key) === undefined)) return configTable(keys);
  const sections = new Map([['Required', []]]);
  for (const key of keys) {
    const group = isRequired(key) ? 'Required' : (groupOf(key) ?? 'Other');
    sections.set(group, [...(sections.get(group) ?? []), key]);
  }
  return [...sections]
    .filter(([, own]) => own.length > 0)
    .map(([title, own]) => `#### ${title}\n\n${configTable(own, keys)}`)
    .join('\n\n');
}

/** Options of library use, and what a change needs, are shown where any of `all` has one. */
function configTable(keys, all = keys) {
  const options = all.some((key) => key.option !== undefined);
  const changes = all.some((key) => key.update !== undefined);
  const rows = keys.map((key) => [
    code(key.prefix && !key.name.includes('<n>') ? `${key.name}<name>` : key.name),
    ...(options ? [key.option === undefined ? '' : code(key.option)] : []),
    key.type,
    key.prefix && key.default === undefined ? '' : defaultText(key),
    key.validator?.allowed ?? '',
    ...(changes ? [key.update ?? 'restart'] : []),
    prose(key.documentation),
  ]);
  return table(
    [
      'Key',
      ...(options ? ['Option'] : []),
      'Type',
      'Default',
      'Allowed',
      ...(changes ? ['A change needs'] : []),
      'Meaning',
    ],
    rows,
  );
}

/** Without a default and not a prefix, of which any number may be given. */
function isRequired({ default: value, prefix }) {
  return value === undefined && prefix !== true;
}

/** Groups of a worker's keys by the beginning of their names; the first that matches counts. */
const workerGroups = [
  ['Kafka cluster or embedded log', /^(?:bootstrap|embedded)\./],
  ['Topics of the group', /\.storage\./],
  ['Group', /^(?:group|session|heartbeat|rebalance|scheduled|worker|inter)\.|^connect\.protocol$/],
  ['Default converters', /^(?:key|value|header)\.converter/],
  ['Listeners and access', /^(?:(?:admin\.)?listeners|rest|access|response)(?:\.|$)/],
  ['Offsets, tasks and topics', /^(?:offset|task|topic|connector|exactly)\./],
  ['Plugins and config providers', /^(?:plugin|config)\./],
  ['Metrics and logs', /^(?:metrics|jolokia|otel|log)\./],
];

export function groupOfWorkerKey({ name }) {
  return workerGroups.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Rows of transformations and predicates: each class, both of its forms in one row, and its keys. */
export function stageTable(plugins) {
  const keys = new Map();
  const forms = new Map();
  for (const { className, config } of plugins) {
    const [name, form] = className.replace('org.apache.kafka.connect.transforms.', '').split('$');
    keys.set(name, config.keys);
    forms.set(name, [...(forms.get(name) ?? []), ...(form === undefined ? [] : [`$${form}`])]);
  }
  const rows = [...keys].flatMap(([name, own]) => {
    const title = [code(name), ...forms.get(name).map(code)].join(' ');
    if (own.length === 0) return [[title, '', '', '', '', '']];
    return own.map((key, index) => [
      index === 0 ? title : '',
      code(key.name),
      key.type,
      defaultText(key),
      key.validator?.allowed ?? '',
      prose(key.documentation),
    ]);
  });
  return table(['Class', 'Key', 'Type', 'Default', 'Allowed', 'Meaning'], rows);
}

/** Rows of a metric table. */
export function metricTable(metrics) {
  const rows = Object.entries(metrics).map(([name, row]) => [
    code(name),
    row.kind,
    row.unit,
    row.series === undefined ? '' : code(row.series.name),
    prose(row.help),
  ]);
  return table(['Attribute', 'Kind', 'Unit', 'Prometheus', 'Meaning'], rows);
}

/** Rows of Kafka Connect's families of metrics. `seriesName` gives the series of an attribute. */
export function connectTable(families, seriesName) {
  const rows = Object.values(families).flatMap((family) =>
    Object.entries(family.attributes).map(([name, { help }]) => [
      code(`type=${[family.type, ...family.keys].join(',')}`),
      code(name),
      code(seriesName(family, name)),
      prose(help),
    ]),
  );
  return table(['Object', 'Attribute', 'Prometheus', 'Meaning'], rows);
}

/** Rows of a log-event table. */
export function eventTable(events) {
  const rows = Object.entries(events).map(([name, row]) => [
    code(name),
    row.level.toUpperCase(),
    prose(row.help),
  ]);
  return table(['Event', 'Level', 'Meaning'], rows);
}

function defaultText(key) {
  if (key.default === undefined) return '*required*';
  if (key.default === null) return '';
  const text = Array.isArray(key.default) ? key.default.join(',') : String(key.default);
  return text === '' ? 'empty' : code(text);
}

export function table(names, rows) {
  const line = (cells) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(names), `|${names.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function escapeCell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Outside of code a placeholder such as <key> would count as HTML, and not be shown. */
export function prose(text) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '\\<') : part))
    .join('`');
}

export function code(text) {
  return `\`${text}\``;
}
