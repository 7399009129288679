import { createRequire } from 'node:module';
import shared from '../../jest.config.mjs';

const [pure] = shared.projects;
const here = import.meta.dirname;

/** The specs of the ledger's domain, in the way that mutants need them: the quickest first, and no more after one has failed. */
export default {
  ...pure,
  testMatch: [
    '<rootDir>/libs/domain/src/{ledger,money}/**/*.spec.ts',
    '<rootDir>/libs/domain/src/chat/chat-and-ledger.spec.ts',
  ],
  testRunner: `${here}/jest-circus-until-killed.cjs`,
  testSequencer: `${here}/quickest-first.cjs`,
  moduleNameMapper: {
    ...pure.moduleNameMapper,
    '^fast-check$': `${here}/fast-check-briefly.cjs`,
    '^fast-check-itself$': createRequire(import.meta.url).resolve('fast-check'),
  },
};
