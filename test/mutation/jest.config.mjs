import { createRequire } from 'node:module';
import shared from '../../jest.config.mjs';

const [pure] = shared.projects;
const here = import.meta.dirname;

/** By `MUTATION_SPECS=hex,member-ids` these specs of the ledger alone: most files need no other than the one beside them. */
const chosen = process.env.MUTATION_SPECS?.split(',').map((name) => `<rootDir>/libs/domain/src/ledger/${name}.spec.ts`);

/** The specs of the ledger's domain, in the way that mutants need them: the quickest first, and no more after one has failed. */
export default {
  ...pure,
  testMatch: chosen ?? [
    '<rootDir>/libs/domain/src/{ledger,money}/**/*.spec.ts',
    '<rootDir>/libs/domain/src/chats/chat-and-ledger.spec.ts',
  ],
  testRunner: `${here}/jest-circus-until-killed.cjs`,
  testSequencer: `${here}/quickest-first.cjs`,
  moduleNameMapper: {
    ...pure.moduleNameMapper,
    '^fast-check$': `${here}/fast-check-briefly.cjs`,
    '^fast-check-itself$': createRequire(import.meta.url).resolve('fast-check'),
  },
};
