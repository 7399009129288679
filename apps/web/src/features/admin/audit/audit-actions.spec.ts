import { expect, test } from '@jest/globals';
import { auditActionLabel, auditActions, isLedgerAction } from './audit-actions';

test('actions are said in words, also those that are new', () => {
  expect(auditActionLabel('NovaGranted')).toBe('Added Nova');
  expect(auditActionLabel('PoolRewardsPaid')).toBe('Pool rewards paid');
  expect(auditActions).toContainEqual({ value: 'ReportClosed', label: 'Closed a report' });
});

test('only what the ledger wrote leads to its events', () => {
  expect(isLedgerAction('NovaDeducted')).toBe(true);
  expect(isLedgerAction('PasswordReset')).toBe(false);
  expect(isLedgerAction('SomethingNew')).toBe(false);
});
