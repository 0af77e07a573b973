// Words that the repository does not use, in prose and in names, and what to write instead. Technical text has common words for the
// same things, which a reader does not have to translate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each row: what is found (in lower case, names split into words), and what to write. */
const rows = [
  [/\b(un)?told\b/, 'reported, notified, said, "cannot be determined"'],
  [/\btells? (?!apart)/, 'reports, says, notifies'],
  [
    /\bbehind\b(?! (a|an|the|its|your|our|one) (?:reverse |own )?(proxy|proxies|load balancer|balancer|gateway|flag|firewall|nat|switch))/,
    'after, below, following',
  ],
  [/\b(?:stands?|stood)\b(?! (?:for|in for|still)\b)(?!-)/, 'is, appears, exists'],
  [/\bnobody\b/, 'no one, nothing, no reader'],
  [/\banew\b/, 'again'],
  [/\bwhoever\b/, 'the caller, users who'],
  [/\b(?:becomes?|became) of\b/, 'outcome, result'],
  [/\bis no (?:kind|sort|part|member|name|word|value|type) (?:of|that)\b/, 'unknown, not a'],
  [/\bleast level\b/, 'minimum level'],
  [/\bfor ever\b/, 'forever, without an end'],
  [/\bin vain\b/, 'without success'],
  [/\bwithout a word\b/, 'without a message'],
  [/\bas ever\b/, 'as before, as usual'],
  [/\b(?:go|goes|went|going|gone) on\b/, 'continue, continues'],
  [/\bonce more\b/, 'again'],
  [/\bupon\b/, 'on, after'],
  [/\b(?:lest|thereof|herein|hitherto|forthwith|ought|shall|besides)\b/, 'a common word'],
  [/\bis spoken\b/, 'is used'],
  [/\bgoes again\b/, 'is requeued, is sent again'],
  [/\bways out\b/, 'exits'],
  [/\brouse\b/, 'notify, wake'],
];

/** Files that quote others: licences, recorded answers, and sources that are generated. */
const excluded =
  /(^|\/)(LICENSE|NOTICE|pnpm-lock\.yaml|CHANGELOG\.md)$|\/gen\/|\/(golden|recorded|fixtures)\/|^tools\/words\.mjs$/;

/** Lines with such words, one finding each. `files` are paths from `root`. */
export function wordFindings(root, files) {
  return files
    .filter((file) => /\.(ts|mjs|md)$/.test(file) && !excluded.test(file))
    .flatMap((file) => fileFindings(root, file));
}

function fileFindings(root, file) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const words = line
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase();
    return rows
      .map(([pattern, instead]) => ({ found: pattern.exec(words)?.[0], instead }))
      .filter(({ found }) => found !== undefined)
      .map(({ found, instead }) => `${file}:${index + 1}: "${found.trim()}", write ${instead}`);
  });
}
