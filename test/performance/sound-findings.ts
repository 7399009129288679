import { type Finding, verify, type VerifyOptions } from '../../apps/api/src/finance/verify.js';

/** What `verify` finds, as it finds it. @throws Error something is wrong */
export async function* soundFindings(options: VerifyOptions): AsyncGenerator<Finding> {
  for await (const finding of verify(options)) {
    const { what, breaches } = finding;
    if (breaches.length) throw new Error(`${what}: ${breaches.join(' ')}`);
    yield finding;
  }
}
