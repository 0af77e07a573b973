// What action.yml and .pre-commit-hooks.yaml run for their users, run here.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file) => parse(readFileSync(join(root, file), 'utf8'));

/**
 * Runs the shell step of action.yml with these inputs, the others having their defaults, as a runner would: inputs become the variables
 * that `env` of the step gives them. Answers exit code and output.
 */
export async function runAction(inputs, { cwd, env = {} }) {
  const action = read('action.yml');
  for (const name of Object.keys(inputs)) {
    if (action.inputs[name] === undefined) throw new Error(`action.yml has no input "${name}"`);
  }
  const step = action.runs.steps.find(({ run }) => run !== undefined);
  const given = Object.fromEntries(
    Object.entries(step.env).map(([variable, expression]) => {
      const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1];
      if (action.inputs[name] === undefined)
        throw new Error(`action.yml: ${variable} is no input: ${expression}`);
      return [variable, inputs[name] ?? action.inputs[name].default];
    }),
  );
  // The way runners call bash.
  return settled(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd,
    env: { ...env, ...given },
  });
}

/** Runs the hook with these arguments, its first words replaced where `npx` is not to bring the command. */
export async function runHook({ cwd, env = {}, command, args = [] }) {
  const [{ entry }] = read('.pre-commit-hooks.yaml');
  const words = entry.split(' ');
  const npx = words.slice(0, 3);
  if (!/^npx --yes @levada\/cli@\S+$/.test(npx.join(' ')))
    throw new Error(`.pre-commit-hooks.yaml: unknown entry "${entry}"`);
  return settled([...(command ?? npx), ...words.slice(3), ...args], { cwd, env });
}

async function settled([program, ...words], { cwd, env }) {
  try {
    const { stdout, stderr } = await execute(program, words, {
      cwd,
      env: { ...process.env, ...env },
      timeout: 600_000,
    });
    return { code: 0, text: stdout + stderr };
  } catch (failed) {
    if (typeof failed.code !== 'number') throw failed;
    return { code: failed.code, text: failed.stdout + failed.stderr };
  }
}
