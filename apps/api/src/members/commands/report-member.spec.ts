import { AppError } from '../../platform/errors/app-error.js';
import { ReportMember, ReportMemberHandler } from './report-member.js';

const report = new ReportMember({ memberId: 'ann', otherId: 'hal', requestId: undefined }, { text: 'What happened.' });

/** The reports whose words were removed after reporting failed with this error. */
async function discardedBy(error: Error): Promise<string[]> {
  const discarded: string[] = [];
  const reports = { write: async () => 'words', discard: async (id: string) => void discarded.push(id) };
  const act = async () => {
    throw error;
  };
  const handler = new ReportMemberHandler({ act }, reports);
  await expect(handler.execute(report)).rejects.toBe(error);
  return discarded;
}

test.each([
  ['refused', new AppError(400, 'ONESELF', 'That is yourself.')],
  ['not made', new AppError(503, 'UNAVAILABLE', 'Try again.')],
])('a report that was %s leaves no words', async (_, error) => {
  expect(await discardedBy(error)).toEqual(['words']);
});

test.each([
  ['may have been made', new AppError(503, 'OUTCOME_UNKNOWN', 'Look again.')],
  ['was made, and then a read model could not be waited for', new Error('the connection was lost')],
])('a report that %s keeps its words', async (_, error) => {
  expect(await discardedBy(error)).toEqual([]);
});
