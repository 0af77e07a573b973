import { createHash } from 'node:crypto';
import { describeEngine, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { maskedValue } from '../src/jobs/text/masks.ts';
import { text } from '../src/types/sql-type.ts';

const SECRET = "it's a secret";
const values = ['ada@example.com', '', 'é€😀', "O'Brien"];

const sha256 = (message: string) => createHash('sha256').update(message).digest('hex');

/** HMAC's two hashes, each with a key of one block of 64 bytes. */
function keyedHash(value: string): string {
  const [inner, outer] = [sha256(`levada.mask.inner:${SECRET}`), sha256(`levada.mask.outer:${SECRET}`)];
  return sha256(outer + sha256(inner + value));
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;

for (const version of plannerVersions) {
  describeEngine('a keyed hash', version, (engine) => {
    it('is that of Node for every text, and null for null', async () => {
      const mask = maskedValue(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
        { method: 'hash', column: 'v', secret: '${SECRET}', roles: undefined, path: '' },
        text('VARCHAR'),
      );
      const sql = mask?.sql.replaceAll(/\$\{SECRET\}/g, () => SECRET.replaceAll("'", "''"));
      const rows = [...values.map((value) => `(${quoted(value)})`), '(CAST(NULL AS STRING))'];
      const session = await engine().session();
      await session.run("SET 'execution.runtime-mode' = 'batch'");
      const answer = await session.run(`SELECT v, ${sql} FROM (VALUES ${rows.join(', ')}) AS t(v)`);
      expect(new Map(answer.rows as [string, string][])).toEqual(
        new Map<string | null, string | null>([
          ...values.map((value): [string, string] => [value, keyedHash(value)]),
          [null, null],
        ]),
      );
    }, 60_000);
  });
}
