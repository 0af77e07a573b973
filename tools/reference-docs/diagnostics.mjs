// The reference of what the compiler of stream projects finds: every code of its catalogue, with what its fixture shows.
import { code, prose, table } from './tables.mjs';

/** Where the pages are, and with `.md` the list of them. */
export const diagnosticsFolder = 'docs/reference/diagnostics';

/** Codes by their origin, as the catalogue numbers them: the first numbers of a range, and what is in it. */
const ranges = [
  ['LV10', 'Files, variables and limits'],
  ['LV11', 'YAML'],
  ['LV12', 'SQL'],
  ['LV13', 'Keys and values'],
  ['LV20', 'Names, references and the graph'],
  ['LV30', 'Rules of the project'],
  ['LV31', 'Systems, topics, sinks and models that will go'],
  ['LV32', 'Tests, exposures and declared columns'],
  ['LV33', 'Classifications and masks'],
  ['LV40', 'What models need to run'],
  ['LV41', 'Columns, types and time'],
  ['LV42', 'Versions and changes'],
  ['LV50', 'Jobs'],
];

const intro = `# Stream projects: diagnostics

Generated from the catalogue of [\`@levada/stream-project-compiler\`](../../packages/stream-project-compiler) and its fixtures;
run \`pnpm run generate\` to update it.

A code never changes its meaning. Its severity holds unless \`levada project validate --severity CODE=LEVEL\` says otherwise; the name can be
written for the code. A comment hides findings of the following line, \`# levada-disable-next-line CODE\`. Codes marked *fixed* are neither
hidden nor lowered: a part of the project could not be read. \`levada project explain CODE\` prints the entry of a code.`;

/** A list of all codes, and a page for each: path from the root to content. */
export function diagnosticFiles({ catalogue }, examples) {
  const codes = Object.keys(catalogue).toSorted();
  const strays = codes.filter((one) => !ranges.some(([prefix]) => one.startsWith(prefix)));
  if (strays.length > 0) throw new Error(`no range for ${strays.join(', ')}`);
  const shown = new Map(examples.map((example) => [example.code, example.text]));
  const sections = ranges.map(([prefix, title]) => {
    const own = codes.filter((one) => one.startsWith(prefix));
    const rows = own.map((one) => row(one, catalogue[one]));
    return `## ${title}\n\n${table(['Code', 'Name', 'Severity', 'Finding'], rows)}`;
  });
  const pages = codes.map((one, at) => {
    const neighbours = { prev: codes[at - 1], next: codes[at + 1] };
    return [
      `${diagnosticsFolder}/${one}.md`,
      codePage(one, { entry: catalogue[one], example: shown.get(one), neighbours }),
    ];
  });
  return {
    [`${diagnosticsFolder}.md`]: `${[intro, ...sections].join('\n\n')}\n`,
    ...Object.fromEntries(pages),
  };
}

/** Links to the sections of one page, which this was once, lead to the rows. */
function row(number, { name, title, severity, fixed }) {
  const place = `<span id="${number.toLowerCase()}-${name}"></span>`;
  return [
    `${place}[${number}](./diagnostics/${number}.md)`,
    code(name),
    severityText(severity, fixed),
    prose(title),
  ];
}

function codePage(number, { entry, example, neighbours }) {
  const { name, title, severity, fixed, doc } = entry;
  const [, range] = ranges.find(([prefix]) => number.startsWith(prefix));
  const around = Object.entries(neighbours).map(([side, other]) =>
    other === undefined
      ? `${side}: false`
      : `${side}: { text: ${other}, link: /reference/diagnostics/${other} }`,
  );
  const changes = fixed
    ? 'This finding is fixed: it can be neither hidden nor lowered.'
    : `\`# levada-disable-next-line ${number}\` hides it on the following line; \`levada project validate --severity ${number}=off\` hides it everywhere.`;
  const back = `[All codes](../diagnostics.md) · [${range}](../diagnostics.md#${anchorOf(range)})`;
  return `${[
    `---\ntitle: ${number} ${name}\noutline: false\n${around.join('\n')}\n---`,
    `# ${number} ${name}`,
    `**${prose(title)}** (${severityText(severity, fixed)})`,
    prose(doc),
    ...(example === undefined ? [] : [`${fence(example)}text\n${example}\n${fence(example)}`]),
    changes,
    back,
  ].join('\n\n')}\n`;
}

function severityText(severity, fixed) {
  return fixed === true ? `${severity}, fixed` : severity;
}

/** The anchor of a heading of plain words. */
function anchorOf(heading) {
  return heading.toLowerCase().replaceAll(',', '').replaceAll(' ', '-');
}

/** A fence that does not occur in the text. */
function fence(text) {
  return text.includes(code('``')) ? '````' : '```';
}
