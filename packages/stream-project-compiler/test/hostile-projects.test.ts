import { expect, test } from 'vitest';
import { checkProject, loadProject } from '../src/index.ts';
import { describeHostileProcesses, describeHostileProjects } from './hostile/describe-hostile.ts';
import { hostileCases, smallCases } from './hostile/hostile-cases.ts';
import { soundProject } from './hostile/sound-project.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

/** Those with a process of their own. The second tier has more of them, and all cases. */
const EVERY = 96;
const small = smallCases();

test('the project that mistakes are put into has none', async () => {
  const { diagnostics } = checkProject(await loadProject({ fileSystem: memoryFileSystem(soundProject) }));
  expect(diagnostics).toEqual([]);
});

test('there are more than 400 small cases, and each case has its own name', () => {
  const names = new Set(hostileCases.map(({ name }) => name));
  expect(names.size).toBe(hostileCases.length);
  expect(small.length).toBeGreaterThan(400);
});

describeHostileProjects('small hostile projects, one after the other in one process', small.length, [
  '--small',
]);

describeHostileProcesses(
  'levada project validate, in its own process',
  small.filter((_, at) => at % EVERY === 0),
);
