import { DELETED_MEMBER, renderDescription } from './describe.js';
import { STATEMENT_TYPES } from '@app/domain';

const names = {
  member: (id: string): string | undefined => (id === 'ada' ? 'Ada' : undefined),
  application: (clientId: string): string | undefined => (clientId === 'chess' ? 'Chess Club' : undefined),
  quest: (id: string): string | undefined => (id === 'hello' ? 'Say hello' : undefined),
};

describe('renderDescription', () => {
  it.each([
    [{ type: 'gift_send', counterpartyId: 'ada', clientId: null, subject: null }, 'Gift to Ada'],
    [{ type: 'gift_send', counterpartyId: 'ada', clientId: 'chess', subject: null }, 'Gift to Ada through Chess Club'],
    [{ type: 'gift_receive', counterpartyId: 'gone', clientId: null, subject: null }, `Gift from ${DELETED_MEMBER}`],
    [{ type: 'chat_receive', counterpartyId: 'ada', clientId: null, subject: null }, 'Chat with Ada'],
    [{ type: 'purchase', counterpartyId: null, clientId: null, subject: null }, 'Nova purchase'],
    [{ type: 'app_spend', counterpartyId: null, clientId: 'gone', subject: null }, 'Spent at Deleted application'],
    [{ type: 'quest_reward', counterpartyId: null, clientId: null, subject: 'hello' }, 'Quest reward: Say hello'],
    [{ type: 'quest_reward', counterpartyId: null, clientId: null, subject: 'gone' }, 'Quest reward'],
  ] as const)('%j reads %s', (row, text) => {
    expect(renderDescription(row, names)).toBe(text);
  });

  it('has a sentence for every type, without an id in it', () => {
    for (const type of STATEMENT_TYPES) {
      const text = renderDescription({ type, counterpartyId: 'id-1', clientId: 'id-2', subject: 'id-3' }, names);
      expect(text).toMatch(/^[A-Z]/);
      expect(text).not.toContain('id-');
    }
  });
});
