import { fieldCases } from './field-cases.ts';
import { fileCases } from './file-cases.ts';
import type { HostileCase } from './hostile-case.ts';
import { mutatedProjects } from './mutated-projects.ts';
import { ruleCases } from './rule-cases.ts';
import { sqlCases } from './sql-cases.ts';
import { variableCases } from './variable-cases.ts';
import { yamlCases } from './yaml-cases.ts';

/** Five of each mutation. */
const MUTATED = 105;

/** More than 400 projects that no command may accept: a catalogue, and mistakes put into sound projects. The same in every run. */
export const hostileCases: readonly HostileCase[] = [
  ...fileCases,
  ...yamlCases,
  ...variableCases,
  ...fieldCases,
  ...sqlCases,
  ...ruleCases,
  ...mutatedProjects(MUTATED),
];

const SMALL_BYTES = 50_000;

/** Those that say in little text what is wrong with them: all but floods. */
export function smallCases(): readonly HostileCase[] {
  return hostileCases.filter(({ entries }) => {
    const sizes = Object.values(entries()).map((entry) =>
      typeof entry === 'object' && 'length' in entry ? entry.length : JSON.stringify(entry).length,
    );
    return sizes.reduce((sum, size) => sum + size, 0) < SMALL_BYTES;
  });
}
