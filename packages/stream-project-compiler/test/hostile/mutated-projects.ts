import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '../../bench/seeded-random.ts';
import { type CorpusProject, corpusProjects } from '../project-support/corpus.ts';
import type { HostileCase, HostileEntries, HostileEntry } from './hostile-case.ts';
import { mutations } from './mutations.ts';

const SEED = 20261121;
const MOST_TRIES = 40;

/** This many projects of the corpus, each with one to three mistakes put into it; the same in every run. */
export function mutatedProjects(count: number): readonly HostileCase[] {
  const random = createRandom(SEED);
  const sound = corpusProjects.filter(({ valid }) => valid);
  return Array.from({ length: count }, (_, at) => {
    const project = sound[at % sound.length];
    if (project === undefined) throw new Error('the corpus has no valid project');
    return mutated(project, at, random);
  });
}

function mutated(project: CorpusProject, at: number, random: Random): HostileCase {
  const names = Object.keys(mutations);
  const files = readFiles(project.folder);
  const env = environmentOf(project.folder);
  const first = pickFitting(files, names, { at, random });
  const spoilt = new Map<string, HostileEntry>([[first.path, first.entry]]);
  const parts = [first.name];
  // Others in other files: two in one could hide each other.
  for (let more = random.below(3); more > 0; more -= 1) {
    const rest = new Map([...files].filter(([path]) => !spoilt.has(path)));
    if (rest.size === 0) break;
    const next = pickFitting(rest, names, { at: at + more * 7, random });
    spoilt.set(next.path, next.entry);
    parts.push(next.name);
  }
  return {
    name: `mutation ${at + 1}: ${project.id} with ${parts.join(' and ')}`,
    finds: parts.flatMap((name) => mutations[name]?.finds ?? []),
    environment: project.env ?? {},
    entries: () => ({ ...env, ...Object.fromEntries(files), ...Object.fromEntries(spoilt) }),
  };
}

interface Picked {
  readonly path: string;
  readonly name: string;
  readonly entry: HostileEntry;
}

/** Goes through the mutations in turn, so that each comes as often, and takes the next that the files have a place for. */
function pickFitting(
  files: ReadonlyMap<string, string>,
  names: readonly string[],
  { at, random }: { readonly at: number; readonly random: Random },
): Picked {
  const paths = [...files.keys()];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const name = names[(at + tries) % names.length] ?? '';
    const path = random.pick(paths);
    const entry = mutations[name]?.spoil(files.get(path) ?? '', random);
    if (entry !== undefined) return { path, name, entry };
  }
  throw new Error(`no mutation fits ${paths.join(', ')}`);
}

/** Texts of YAML files by path. */
function readFiles(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    paths
      .filter((path) => /\.ya?ml$/.test(path))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

function environmentOf(folder: string): HostileEntries {
  const path = join(folder, '.env');
  return existsSync(path) ? { '.env': readFileSync(path, 'utf8') } : {};
}
