import { expect, it } from 'vitest';
import { allTexts, blocksOf } from './page-blocks.ts';

/** Characters of the column of the site. */
const WIDTH = 84;

/** Their blocks are parts of files of the repository, as its formatter writes them. */
const ofFiles = [
  'docs/guides/test-your-service.md',
  'packages/connect-runtime-core/README.md',
  'packages/connect-worker/README.md',
];

it('a block of code fits the column of the site, but for long texts and comments with results', () => {
  const texts = allTexts().filter((file) => !ofFiles.includes(file));
  const code = texts.flatMap((file) =>
    blocksOf(file)
      .filter(({ language }) => language === 'ts' || language === 'js')
      .flatMap(({ text, line }) =>
        text.split('\n').map((words, at) => [`${file}:${line + 1 + at}`, words] as const),
      ),
  );
  expect(code.length).toBeGreaterThan(500);
  const wide = code.filter(([, words]) => words.replace(/(?<=\S) *\/\/ .*$|'[^']{60,}'/g, '').length > WIDTH);
  expect(wide).toEqual([]);
});
