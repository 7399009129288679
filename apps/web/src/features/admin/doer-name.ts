/** Who did something that the daily jobs also do. */
export interface Doer {
  actor: 'admin' | 'process' | 'terminal';
  /** The admin's name. */
  by: string | null;
}

const NAMES = { admin: 'an admin', process: 'the daily job', terminal: 'the command line' } as const;

export const doerName = ({ actor, by }: Doer): string => by ?? NAMES[actor];
