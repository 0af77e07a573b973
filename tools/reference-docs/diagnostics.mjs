// The reference of what the compiler of stream projects finds: every code of its catalogue, with what its fixture shows.
import { code, prose } from './tables.mjs';

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
  ['LV50', 'Jobs'],
];

const intro = `# Stream projects: diagnostics

Generated from the catalogue of [\`@levada/stream-project-compiler\`](../../packages/stream-project-compiler) and its fixtures;
run \`pnpm run generate\` to update it.

A code never changes its meaning. Its severity holds unless \`levada project validate --severity CODE=LEVEL\` says otherwise; the name can be
written for the code. A comment hides findings of the following line, \`# levada-disable-next-line CODE\`. Codes marked *fixed* are neither
hidden nor lowered: a part of the project could not be read. \`levada project explain CODE\` prints the entry of a code.`;

/** Path from the root to content. */
export function diagnosticFiles({ catalogue }, examples) {
  const codes = Object.keys(catalogue).toSorted();
  const strays = codes.filter((one) => !ranges.some(([prefix]) => one.startsWith(prefix)));
  if (strays.length > 0) throw new Error(`no range for ${strays.join(', ')}`);
  const shown = new Map(examples.map((example) => [example.code, example.text]));
  const sections = ranges.map(([prefix, title]) => {
    const own = codes.filter((one) => one.startsWith(prefix));
    return [`## ${title}`, ...own.map((one) => section(one, catalogue[one], shown.get(one)))].join('\n\n');
  });
  return { 'docs/reference/diagnostics.md': `${[intro, ...sections].join('\n\n')}\n` };
}

function section(number, { name, title, severity, fixed, doc }, example) {
  const notes = fixed === true ? `${severity}, fixed` : severity;
  return [
    `### ${number} ${name}`,
    `**${prose(title)}** (${notes})`,
    prose(doc),
    ...(example === undefined ? [] : [`${fence(example)}text\n${example}\n${fence(example)}`]),
  ].join('\n\n');
}

/** A fence that does not occur in the text. */
function fence(text) {
  return text.includes(code('``')) ? '````' : '```';
}
