/**
 * Ends every test run with one line that a program can read: `12 passed, 0 failed`, and
 * `, 1 skipped` behind it if any were.
 *
 * The line is written as the process ends, because only then is it surely the last one. A file
 * that cannot be loaded and an error outside any test count as failures: a run whose exit code is
 * not zero never says `0 failed`.
 */
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export class SummaryReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  onInit(): void {
    process.once('exit', (code) => process.stdout.write(`${this.#line(code)}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#passed = 0;
    this.#skipped = 0;
    this.#failed = errors.length;
    for (const module of modules) this.#count(module);
  }

  #count(module: TestModule): void {
    this.#failed += module.errors().length;
    for (const suite of module.children.allSuites()) this.#failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed += 1;
      else if (state === 'failed') this.#failed += 1;
      else this.#skipped += 1;
    }
  }

  #line(code: number): string {
    const failed = code === 0 ? this.#failed : Math.max(this.#failed, 1);
    const skipped = this.#skipped === 0 ? '' : `, ${this.#skipped} skipped`;
    return `${this.#passed} passed, ${failed} failed${skipped}`;
  }
}
