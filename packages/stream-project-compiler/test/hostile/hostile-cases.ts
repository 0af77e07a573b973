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
