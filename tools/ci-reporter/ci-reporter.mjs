import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of the tests its own temporary folder, and prints the closing line that any log reader understands,
 * `N passed, N failed, N skipped`, as the last thing the process does. Failed hooks and suites, unhandled errors and files left in the temporary folder
 * count as failures. Before that line come the tests that passed on a second try.
 */
export default class CiReporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  onInit() {
    const folder = mkdtempSync(join(tmpdir(), 'levada-'));
    // Tests give folders in it to programs that run as other users.
    chmodSync(folder, 0o755);
    // Workers of the test runner inherit it.
    process.env.TMPDIR = folder;
    process.once('exit', (code) => this.#close(folder, code));
  }

  onTestRunEnd(modules, unhandledErrors = []) {
    this.#passed = 0;
    this.#failed = unhandledErrors.length;
    this.#skipped = 0;
    const repeated = [];
    for (const module of modules) {
      this.#failed += module.errors().length;
      for (const suite of module.children.allSuites()) this.#failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') this.#passed += 1;
        else if (state === 'failed') this.#failed += 1;
        else this.#skipped += 1;
        if (test.diagnostic()?.flaky) {
          repeated.push(`${module.relativeModuleId} > ${test.fullName}: ${errors?.[0]?.message}`);
        }
      }
    }
    if (repeated.length > 0) process.stdout.write(`\nPassed on a second try:\n${repeated.join('\n')}\n`);
  }

  /** Runs after global teardown, when everything that a test started has had its chance to end. */
  #close(folder, code) {
    // Node keeps its compile cache in the temporary folder.
    const left = readdirSync(folder)
      .filter((name) => name !== 'node-compile-cache')
      .toSorted();
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) {
      process.stdout.write(
        `\nTests left ${left.length} files in the temporary folder:\n${left.join('\n')}\n`,
      );
      this.#failed += 1;
      process.exitCode = 1;
    }
    if (code !== 0 && this.#failed === 0) this.#failed = 1;
    process.stdout.write(`\n${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped\n`);
  }
}
