import { describe, expect, test } from 'vitest';
import { checkProject, type Diagnostic, loadProject } from '../src/index.ts';
import { createObjectMemory } from '../src/resolve/object-memory.ts';
import { forEachModel, type ModelRule, type RuleContext } from '../src/validate/rule.ts';
import { modelRules } from '../src/validate/rules.ts';
import { governanceFixtures } from './governance-codes.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { securityFixtures } from './security-codes.ts';
import { structureFixtures } from './structure-codes.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

const fixtures = Object.entries({ ...structureFixtures, ...securityFixtures, ...governanceFixtures });

async function contextOf(files: Readonly<Record<string, string>>): Promise<RuleContext> {
  const all = { 'stream_project.yml': projectWith(), ...files };
  const { project } = checkProject(await loadProject({ fileSystem: memoryFileSystem(all) }));
  return { project, today: '2026-11-21', memory: createObjectMemory() };
}

/** The same project, reduced to one of its models. */
function aloneIn({ project, ...context }: RuleContext, name: string): RuleContext {
  const { resolved } = project;
  const models = new Map([...resolved.models].filter(([one]) => one === name));
  return { ...context, project: { ...project, resolved: { ...resolved, models } } };
}

function textOf(found: readonly Diagnostic[]): readonly string[] {
  return found.map((one) => JSON.stringify(one)).sort();
}

test.each(fixtures)(
  'reports of each model alone what it reports of all models together: %s',
  async (_name, fixture) => {
    const context = await contextOf(fixture?.files ?? {});
    const names = [...context.project.resolved.models.keys()];
    for (const rule of modelRules) {
      const run = (one: RuleContext) => forEachModel([rule])({ ...one, memory: createObjectMemory() });
      const alone = names.flatMap((name) => run(aloneIn(context, name)));
      expect(textOf(alone)).toEqual(textOf(run(context)));
    }
  },
);

describe('a second run of the rules about models', () => {
  const files = {
    'sources/s.yml': lines('sources:', '  - {name: payments, topic: payments.v1}'),
    'models/m.yml': lines(
      'models:',
      '  - {name: quiet, sql: "SELECT id FROM {{ source(\'payments\') }}"}',
      '  - {name: loud, sql: "SELECT id FROM {{ source(\'payments\') }}", advanced: {engine: {state_ttl_ms: 5}}}',
    ),
  };
  /** One of the rules finds something about "loud"; the first one notes which models it checks. */
  function watched(): { readonly seen: string[]; readonly rule: ReturnType<typeof forEachModel> } {
    const seen: string[] = [];
    const watch: ModelRule =
      () =>
      ({ model }) => {
        seen.push(model.name);
        return [];
      };
    return { seen, rule: forEachModel([watch, ...modelRules]) };
  }

  test('checks the models that had findings, and no others', async () => {
    const { seen, rule } = watched();
    const context = await contextOf(files);
    const first = rule(context);
    expect(first).toHaveLength(1);
    expect(textOf(rule(context))).toEqual(textOf(first));
    expect(seen).toEqual(['quiet', 'loud', 'loud']);
  });

  test.each(['rules', 'runtime', 'defaults'] as const)(
    'checks all models when the section "%s" changed',
    async (section) => {
      const { seen, rule } = watched();
      const { project, ...context } = await contextOf(files);
      const { parsed } = project.resolved;
      rule({ ...context, project });
      const changed = { ...parsed, [section]: section === 'runtime' ? undefined : parsed.runtime };
      rule({ ...context, project: { ...project, resolved: { ...project.resolved, parsed: changed } } });
      expect(seen).toEqual(['quiet', 'loud', 'quiet', 'loud']);
    },
  );

  test('checks a model that becomes something else', async () => {
    const { seen, rule } = watched();
    const { project, ...context } = await contextOf(files);
    rule({ ...context, project });
    const materialized = new Map([...project.materialized].filter(([name]) => name !== 'quiet'));
    rule({ ...context, project: { ...project, materialized } });
    expect(seen).toEqual(['quiet', 'loud', 'quiet', 'loud']);
  });

  test('checks all models when the day changed', async () => {
    const { seen, rule } = watched();
    const context = await contextOf(files);
    rule(context);
    rule({ ...context, today: '2026-11-22' });
    expect(seen).toEqual(['quiet', 'loud', 'quiet', 'loud']);
  });
});
