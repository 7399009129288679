import { describe, expect, it } from '@jest/globals';
import { exportProgress } from './export-progress';

const response = (first: number, last: number) =>
  new Response('', { headers: { 'x-first-revision': String(first), 'x-last-revision': String(last) } });
const bytes = (text: string) => new TextEncoder().encode(text);

describe('progress of an export', () => {
  it.each([
    [
      'hledger',
      '2026-01-01 (12) GiftSent  ; event:x, cause:2026-01-01 (99) y\n    ; hash:ab\n    treasury  1.00 NOVA\n\n',
    ],
    ['beancount', '2026-01-01 * "GiftSent"\n  revision: 12\n  cause: "revision: 99"\n  Equity:Treasury  1.00 NOVA\n'],
    ['postings', 'date,number\n2026-01-01,12,assets:bank\n2026-01-01,B99,assets:bank\n'],
    ['csv', 'revision,event_id\n11,a\n12,b,"x 99,y"\n12,b,c\n'],
    ['jsonl', '{"revision":11,"id":"a"}\n{"revision":12,"id":"b","data":{"revision":99}}\n{"revi'],
  ] as const)('%s: counts events by the last one that a piece names', (format, text) => {
    const told = exportProgress(format, response(10, 19));
    expect(told(bytes('')).text).toBe('0 of 10 events');
    expect(told(bytes(text))).toEqual({ text: '3 of 10 events', done: 3, total: 10 });
    // A piece from the middle of an event changes nothing.
    expect(told(bytes('    user:a:earned  1.00 NOVA\n')).done).toBe(3);
  });

  it('never goes back or beyond the end, and an empty period is at its end', () => {
    const told = exportProgress('csv', response(0, 4));
    expect(told(bytes('3,a\n')).done).toBe(4);
    expect(told(bytes('1,a\n')).done).toBe(4);
    expect(told(bytes('77,a\n')).done).toBe(5);
    expect(exportProgress('csv', response(0, -1))(bytes('revision\n')).text).toBe('0 of 0 events');
  });
});
