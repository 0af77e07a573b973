import { type InferredProject, type Parsed, placeOf, shownText } from '@levada/stream-project-compiler';

/** A project in one line: `shop 1.0.0  3 sources · 5 models · 4 tests · 2 exposures`. */
export function projectLine({ resolved }: InferredProject): string {
  const { parsed, sources, models, tests, exposures } = resolved;
  const name = ['name', 'version']
    .map((key) => shownValue(parsed.project, key))
    .filter((part) => part !== '');
  const counts = [
    count(sources.size, 'source'),
    count(models.size, 'model'),
    count(tests.size, 'test'),
    count(exposures.size, 'exposure'),
  ];
  return `${name.join(' ')}  ${counts.join(' · ')}`;
}

/** A value that is there and right, as it may be shown. */
function shownValue(section: Parsed<unknown> | undefined, key: string): string {
  const node = section === undefined ? undefined : placeOf(section.node, key).node;
  return node?.known === true && typeof node.value === 'string' ? shownText(node, node.value) : '';
}

function count(number: number, word: string): string {
  return `${number} ${number === 1 ? word : `${word}s`}`;
}
