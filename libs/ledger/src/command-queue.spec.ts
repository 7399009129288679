import { Pending } from './batch.js';
import { CommandQueue } from './command-queue.js';
import { grant } from './testing/writers.js';

const nobody = (): void => undefined;
const pendingFor = (userId: string): Pending => new Pending(grant(userId, 100n), undefined, Infinity, nobody, nobody);
function memberOf(pending: Pending | undefined): string | undefined {
  const command = pending?.request.command;
  return command?.type === 'GrantNova' ? command.userId : undefined;
}

describe('the queue of commands', () => {
  it('gives them in the order in which they came, and lets go of what it gave although it is never empty', () => {
    const queue = new CommandQueue();
    const ROUNDS = 100_000;
    const WAITING = 10;
    for (let n = 0; n < WAITING; n++) queue.push(pendingFor(`${n}`));
    let held = 0;
    let inOrder = true;
    for (let n = 0; n < ROUNDS; n++) {
      queue.push(pendingFor(`${n + WAITING}`));
      inOrder &&= memberOf(queue.shift()) === `${n}`;
      held = Math.max(held, queue['waiting'].length);
    }
    expect(inOrder).toBe(true);
    expect(queue.size).toBe(WAITING);
    expect(held).toBeLessThan(5_000);
    queue.putBack([pendingFor('put back')]);
    expect([queue.shift(), queue.shift()].map(memberOf)).toEqual(['put back', `${ROUNDS}`]);
    expect(queue.size).toBe(WAITING - 1);
  });
});
