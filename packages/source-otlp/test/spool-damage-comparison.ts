// What either form of the spool loses when its files are damaged: `node test/spool-damage-comparison.ts [runs]`.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { openSpool } from '../src/spool/open-spool.ts';
import { spoolFolder } from './spool-folder.ts';

process.on('uncaughtException', () => undefined);
let seed = 12345;
const rnd = () => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return seed / 0x7fffffff;
};
const N = Number(process.argv[2] ?? 200);
for (const kind of ['files', 'sqlite'] as const)
  for (const how of ['killed', 'closed'] as const) {
    process.env['LEVADA_SPOOL'] = kind === 'sqlite' ? 'sqlite' : '';
    const folder = spoolFolder();
    const spool = await openSpool({
      folder: folder.path,
      maxBytes: 64_000_000,
      segmentBytes: 8_000_000,
      clock: createManualClock(),
    });
    const entries: Buffer[] = [];
    for (let i = 0; i < 400; i++) {
      const group = Array.from({ length: 1 + (i % 8) }, (_, j) =>
        Buffer.alloc(2000 + ((i * 97 + j * 31) % 4000), `entry ${i} ${j} `),
      );
      entries.push(...group);
      await spool.append(group);
    }
    const image = spoolFolder();
    const names = () =>
      readdirSync(folder.path, { withFileTypes: true })
        .filter((e) => e.isFile())
        .map((e) => e.name);
    const copy = (from: string, to: string, list: string[]) => {
      for (const n of list)
        if (!n.startsWith('lock') && !n.endsWith('-shm')) copyFileSync(join(from, n), join(to, n));
    };
    if (how === 'killed') copy(folder.path, image.path, names());
    await spool.close();
    if (how === 'closed') copy(folder.path, image.path, names());
    const files = readdirSync(image.path).filter((n) => readFileSync(join(image.path, n)).length > 0);
    const total = files.reduce((s, n) => s + readFileSync(join(image.path, n)).length, 0);
    for (const damage of ['flip one bit', 'zero 4096 bytes', 'cut the end'] as const) {
      let failedOpen = 0,
        lostAll: number[] = [],
        wrong = 0;
      for (let run = 0; run < N; run++) {
        const t = spoolFolder();
        let at = Math.floor(rnd() * total);
        for (const n of files) {
          let c = readFileSync(join(image.path, n));
          if (at >= 0 && at < c.length) {
            if (damage === 'flip one bit') c[at] = (c[at] as number) ^ (1 << Math.floor(rnd() * 8));
            else if (damage === 'zero 4096 bytes') c.fill(0, at, Math.min(c.length, at + 4096));
            else c = c.subarray(0, Math.max(0, c.length - Math.floor(rnd() * 20000)));
          }
          at -= c.length;
          writeFileSync(join(t.path, n), c);
        }
        let got = 0;
        try {
          const s = await openSpool({ folder: t.path, maxBytes: 64_000_000, clock: createManualClock() });
          for (;;) {
            const taken = await s.take(100, 1_000_000);
            if (taken.length === 0) break;
            for (const { place, bytes } of taken) {
              if (Buffer.compare(bytes, entries[place] ?? Buffer.alloc(0)) === 0) got += 1;
              else wrong += 1;
            }
          }
          await Promise.race([s.close(), new Promise((r) => setTimeout(r, 200))]).catch(() => undefined);
        } catch {
          failedOpen += 1;
        }
        lostAll.push(entries.length - got);
        t[Symbol.dispose]();
      }
      lostAll.sort((a, b) => a - b);
      console.log(
        kind,
        how,
        damage,
        'of',
        entries.length,
        'entries: cannot open or read',
        failedOpen,
        'of',
        N,
        '| lost median',
        lostAll[N >> 1],
        'p90',
        lostAll[Math.floor(N * 0.9)],
        'max',
        lostAll.at(-1),
        '| wrong',
        wrong,
      );
    }
  }
process.exit();
