/**
 * Prints the closing line that any log reader understands, `N passed, N failed, N skipped`, and before it the tests that
 * passed on a second try.
 */
export default class CiReporter {
  onTestRunEnd(modules, unhandledErrors = []) {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const repeated = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
        if (test.diagnostic()?.flaky) {
          repeated.push(`${module.relativeModuleId} > ${test.fullName}: ${errors?.[0]?.message}`);
        }
      }
    }
    if (repeated.length > 0) process.stdout.write(`\nPassed on a second try:\n${repeated.join('\n')}\n`);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
