// The page of defects of the engine that the compiler of stream projects knows.
import { prose } from './tables.mjs';

const intro = `<!-- Generated from the tables in the sources; run "pnpm run generate" to update it. -->

# Engine errata

Queries for which released versions of the engine give wrong rows without an error, and what the compiler does about each. Jobs are written for
1.20 and newer. Each entry was seen in rows on 1.20.3, 2.2.0 and 2.3.0, or in the source of the versions between; a test in the slower tier looks at it again.

*Rewritten*: the job is written so that the rows are right, and nothing is to do. *Reported*: a finding names the place and what to write.
*Listed*: nothing in a query shows when it occurs, or the engine documents it.`;

const treatments = { rewritten: 'Rewritten', reported: 'Reported', listed: 'Listed' };

/** The page: path from the root to content. */
export function errataFiles({ errata }) {
  return { 'docs/reference/engine-errata.md': `${[intro, ...errata.map(section)].join('\n\n')}\n` };
}

function section({ id, tracker, when, since, until, consequence, treatment, instead, codes = [], link }) {
  const name = tracker ?? 'no number in the tracker';
  const numbered = link === undefined ? name : `[${name}](${link})`;
  const found = codes.map((one) => `[${one}](./diagnostics/${one}.md)`).join(', ');
  const versions = [
    since === undefined ? 'from 1.20' : `from ${since}`,
    until === undefined ? 'to 2.3' : `before ${until}`,
  ];
  return [
    `## ${id}`,
    [
      `- **Query**: ${prose(when)}.`,
      `- **Versions**: ${versions.join(' ')} (${numbered})`,
      `- **Rows**: ${prose(consequence)}`,
      `- **${treatments[treatment]}**${found === '' ? '' : ` (${found})`}: ${prose(instead)}`,
    ].join('\n'),
  ].join('\n\n');
}
