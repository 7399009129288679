import { DELETED_MEMBER, renderDescription } from './describe.js';
import { STATEMENT_TYPES } from '@app/domain';

const names = {
  member: (id: string): string | undefined => (id === 'ada' ? 'Ada' : undefined),
  application: (clientId: string): string | undefined => (clientId === 'chess' ? 'Chess Club' : undefined),
};

describe('renderDescription', () => {
  it.each([
    [{ type: 'gift_send', counterpartyId: 'ada', clientId: null }, 'Gift to Ada'],
    [{ type: 'gift_send', counterpartyId: 'ada', clientId: 'chess' }, 'Gift to Ada through Chess Club'],
    [{ type: 'gift_receive', counterpartyId: 'gone', clientId: null }, `Gift from ${DELETED_MEMBER}`],
    [{ type: 'chat_receive', counterpartyId: 'ada', clientId: null }, 'Chat with Ada'],
    [{ type: 'purchase', counterpartyId: null, clientId: null }, 'Nova purchase'],
    [{ type: 'app_spend', counterpartyId: null, clientId: 'gone' }, 'Spent at Deleted application'],
  ] as const)('%j reads %s', (row, text) => {
    expect(renderDescription(row, names)).toBe(text);
  });

  it('has a sentence for every type, without an id in it', () => {
    for (const type of STATEMENT_TYPES) {
      const text = renderDescription({ type, counterpartyId: 'id-1', clientId: 'id-2' }, names);
      expect(text).toMatch(/^[A-Z]/);
      expect(text).not.toContain('id-');
    }
  });
});
