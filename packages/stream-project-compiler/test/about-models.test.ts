import { describe, expect, test } from 'vitest';
import { checkProject, type Diagnostic, loadProject } from '../src/index.ts';
import { createObjectMemory } from '../src/resolve/object-memory.ts';
import { aboutModels } from '../src/validate/about-models.ts';
import { governanceModelRules } from '../src/validate/governance/governance-rules.ts';
import type { Rule, RuleContext } from '../src/validate/rule.ts';
import { securityModelRules } from '../src/validate/security/security-rules.ts';
import { structureModelRules } from '../src/validate/structure/structure-rules.ts';
import { governanceFixtures } from './governance-codes.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { securityFixtures } from './security-codes.ts';
import { structureFixtures } from './structure-codes.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

const rules = [...structureModelRules, ...securityModelRules, ...governanceModelRules];
const fixtures = Object.entries({ ...structureFixtures, ...securityFixtures, ...governanceFixtures });

async function contextOf(files: Readonly<Record<string, string>>): Promise<RuleContext> {
  const all = { 'stream_project.yml': projectWith(), ...files };
  const { project } = checkProject(await loadProject({ fileSystem: memoryFileSystem(all) }));
  return { project, today: '2026-11-21', memory: createObjectMemory() };
}

/** The same project with nothing but one of its models to look at. */
function aloneIn({ project, ...context }: RuleContext, name: string): RuleContext {
  const { resolved } = project;
  const models = new Map([...resolved.models].filter(([one]) => one === name));
  return { ...context, project: { ...project, resolved: { ...resolved, models } } };
}

function textOf(found: readonly Diagnostic[]): readonly string[] {
  return found.map((one) => JSON.stringify(one)).sort();
}

test.each(fixtures)(
  'rules about models say of each alone what they say of all: %s',
  async (_name, fixture) => {
    const context = await contextOf(fixture?.files ?? {});
    const names = [...context.project.resolved.models.keys()];
    for (const rule of rules) {
      const alone = names.flatMap((name) => rule(aloneIn(context, name)));
      expect(textOf(alone)).toEqual(textOf(rule(context)));
    }
  },
);

describe('a rule that runs again', () => {
  const files = {
    'sources/s.yml': lines('sources:', '  - {name: payments, topic: payments.v1}'),
    'models/m.yml': lines(
      'models:',
      '  - {name: quiet, sql: "SELECT id FROM {{ source(\'payments\') }}"}',
      '  - {name: loud, sql: "SELECT id FROM {{ source(\'payments\') }}", advanced: {engine: {state_ttl_ms: 5}}}',
    ),
  };
  /** One of the rules finds something about "loud"; the first one notes which models it is shown. */
  const watched = (seen: string[][]): Rule =>
    aboutModels([
      ({ project }) => {
        seen.push([...project.resolved.models.keys()]);
        return [];
      },
      ...rules,
    ]);

  test('is shown the models that have findings, and no others', async () => {
    const seen: string[][] = [];
    const rule = watched(seen);
    const context = await contextOf(files);
    const first = rule(context);
    expect(first).toHaveLength(1);
    expect(textOf(rule(context))).toEqual(textOf(first));
    expect(seen).toEqual([['quiet', 'loud'], ['loud']]);
  });

  test.each(['rules', 'runtime', 'defaults'] as const)(
    'is shown all of them when the section "%s" is another',
    async (section) => {
      const seen: string[][] = [];
      const rule = watched(seen);
      const { project, ...context } = await contextOf(files);
      const { parsed } = project.resolved;
      rule({ ...context, project });
      const changed = { ...parsed, [section]: section === 'runtime' ? undefined : parsed.runtime };
      rule({ ...context, project: { ...project, resolved: { ...project.resolved, parsed: changed } } });
      expect(seen).toEqual([
        ['quiet', 'loud'],
        ['quiet', 'loud'],
      ]);
    },
  );

  test('is shown all of them when the day is another', async () => {
    const seen: string[][] = [];
    const rule = watched(seen);
    const context = await contextOf(files);
    rule(context);
    rule({ ...context, today: '2026-11-22' });
    expect(seen).toEqual([
      ['quiet', 'loud'],
      ['quiet', 'loud'],
    ]);
  });

  test('is shown all of them while it finds something that is about none of them', async () => {
    const seen: string[][] = [];
    const context = await contextOf(files);
    const [finding] = aboutModels(rules)(context);
    if (finding === undefined) throw new Error('expected a finding');
    const rule = aboutModels([
      ({ project }) => {
        seen.push([...project.resolved.models.keys()]);
        return [{ ...finding, object: 'rules' }];
      },
    ]);
    const own = { ...context, memory: createObjectMemory() };
    rule(own);
    rule(own);
    expect(seen).toEqual([
      ['quiet', 'loud'],
      ['quiet', 'loud'],
    ]);
  });
});
