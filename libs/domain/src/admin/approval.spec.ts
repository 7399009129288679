import { type Approval, APPROVAL_LIFETIME_MS, decisionRefusal, evolveApproval } from './approval.js';
import { decodeModerationEvent, encodeModerationEvent, type ModerationEvent } from './events.js';

const AT = 1_768_478_400_000;
const act = { targetId: 'ben', subjectId: 'act-1', reasonId: null, at: AT };
const asked: ModerationEvent = {
  type: 'ApprovalRequested',
  adminId: 'rhea',
  ...act,
  kind: 'grant',
  amount: 500_000n,
  details: '{}',
  expiresAt: AT + APPROVAL_LIFETIME_MS,
};
const given: ModerationEvent = { type: 'ApprovalGiven', adminId: 'ada', ...act };
const declined: ModerationEvent = { type: 'ApprovalDeclined', adminId: 'ada', ...act };
const ended = (refusal: string | null): ModerationEvent => ({
  type: 'ApprovedActEnded',
  adminId: 'rhea',
  ...act,
  eventId: refusal === null ? 'event-1' : null,
  refusal,
  message: refusal,
});

function after(...events: ModerationEvent[]): Approval {
  const approval = events.reduce<Approval | undefined>(evolveApproval, undefined);
  if (!approval) throw new Error('nothing was asked for');
  return approval;
}

interface Decision {
  readonly by?: string;
  readonly decision?: 'approve' | 'decline';
  readonly admins?: readonly string[];
  readonly at?: number;
}

const codeOf = (approval: Approval, made: Decision = {}) => {
  const { by: adminId = 'ada', decision = 'approve', admins = ['rhea', 'ada'], at = AT } = made;
  return decisionRefusal(approval, { adminId, decision, admins: new Set(admins) }, at)?.code;
};

test('another admin approves or declines what was asked for, and whoever asked may withdraw it', () => {
  expect(codeOf(after(asked))).toBeUndefined();
  expect(codeOf(after(asked), { decision: 'decline' })).toBeUndefined();
  expect(codeOf(after(asked), { by: 'rhea', decision: 'decline' })).toBeUndefined();
});

test('nobody approves their own act, nor one of somebody who is no admin any more, nor without being one', () => {
  expect(codeOf(after(asked), { by: 'rhea' })).toBe('OWN_ACT');
  expect(codeOf(after(asked), { admins: ['ada'] })).toBe('REQUESTER_NO_ADMIN');
  expect(codeOf(after(asked), { admins: ['ada'], decision: 'decline' })).toBeUndefined();
  expect(codeOf(after(asked), { admins: ['rhea'] })).toBe('NO_ADMIN');
  expect(codeOf(after(asked), { admins: ['rhea'], decision: 'decline' })).toBe('NO_ADMIN');
});

test.each([
  ['approved', [given]],
  ['declined', [declined]],
  ['done', [given, ended(null)]],
  ['refused', [given, ended('INSUFFICIENT_NOVA')]],
] as const)('an act that is %s is not decided again', (status, events) => {
  const approval = after(asked, ...events);
  expect(approval.status).toBe(status);
  expect(approval.decidedBy).toBe('ada');
  for (const decision of ['approve', 'decline'] as const) expect(codeOf(approval, { decision })).toBe('NOT_WAITING');
});

test('a week later it is too late', () => {
  const late = { at: AT + APPROVAL_LIFETIME_MS };
  expect(codeOf(after(asked), { at: late.at - 1 })).toBeUndefined();
  expect(codeOf(after(asked), late)).toBe('APPROVAL_EXPIRED');
  expect(codeOf(after(asked), { ...late, decision: 'decline' })).toBe('APPROVAL_EXPIRED');
});

test('nothing is an act before it was asked for, and other acts in its stream change nothing', () => {
  expect(evolveApproval(undefined, given)).toBeUndefined();
  expect(after(asked, { type: 'ReportClosed', adminId: 'ada', ...act })).toEqual(after(asked));
});

test('the bytes of its events are these, for ever', () => {
  const stored = [asked, given, declined, ended(null), ended('X')].map(encodeModerationEvent);
  expect(stored).toEqual([
    '{"adminId":"rhea","targetId":"ben","subjectId":"act-1","reasonId":null,"at":1768478400000,"kind":"grant","amount":"500000","details":"{}","expiresAt":1769083200000}',
    '{"adminId":"ada","targetId":"ben","subjectId":"act-1","reasonId":null,"at":1768478400000}',
    '{"adminId":"ada","targetId":"ben","subjectId":"act-1","reasonId":null,"at":1768478400000}',
    '{"adminId":"rhea","targetId":"ben","subjectId":"act-1","reasonId":null,"at":1768478400000,"eventId":"event-1","refusal":null,"message":null}',
    '{"adminId":"rhea","targetId":"ben","subjectId":"act-1","reasonId":null,"at":1768478400000,"eventId":null,"refusal":"X","message":"X"}',
  ]);
  const events = [asked, { ...asked, amount: null } satisfies ModerationEvent, given, ended('X')];
  for (const event of events) {
    expect(decodeModerationEvent(event.type, encodeModerationEvent(event))).toEqual(event);
  }
});
